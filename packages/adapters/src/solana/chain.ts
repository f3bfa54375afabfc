import { type TransactionPartialSigner, address } from '@solana/kit';
import type { Answer, Chain, ChainHead, Clock, MintView, Network, PlanView } from '@subrail/core/ports';
import { build } from './build.js';
import { inspect, signatureOf } from './inspect.js';
import type { Compute } from './message.js';
import { CLOCK_SYSVAR, createAddresses } from './program/addresses.js';
import { readCharges } from './read-charges.js';
import { resolve } from './resolve.js';
import { createReadAccounts } from './rpc/accounts.js';
import { type Timeouts, createFailover } from './rpc/failover.js';
import { genesisOf, withinCluster } from './rpc/cluster.js';
import { createNode } from './rpc/node.js';
import { createSlotFloor } from './rpc/slot-floor.js';
import { type RpcSource, endpointsOf } from './rpc/sources.js';
import { send } from './send.js';
import { signCharges } from './sign-charges.js';
import { cosign } from './sign.js';
import { simulate } from './simulate.js';
import { readMint } from './tokens.js';
import { readClock, readPlanView } from './views.js';

export interface SolanaChainOptions {
  /** URLs of JSON-RPC endpoints, or kit transports, the preferred first. They must keep the ledger's history. */
  readonly rpc: RpcSource | readonly RpcSource[];
  /** The service's charging identity (the puller). It pays the fees of scheduled charges. */
  readonly charger: TransactionPartialSigner;
  readonly network: Network;
  /**
   * The base58 genesis hash of the cluster. Unless told, mainnet-beta's own, and on devnet that of the endpoint that
   * answers first. An endpoint of another cluster is never used.
   */
  readonly genesisHash?: string;
  readonly clock: Clock;
  /** Compute units a transaction may use; 200,000 unless told. Each signup takes about 50,000 (program#first-payment-transaction). */
  readonly computeUnitLimit?: number;
  /** The bid for each compute unit, in micro-lamports; 0 unless told (checkout#costs-of-a-checkout). */
  readonly computeUnitPrice?: bigint;
  /** How long the chain may take to answer; 5 s an endpoint and 12 s in all unless told. */
  readonly timeouts?: Timeouts;
}

/**
 * The Chain port over Solana's JSON-RPC and the Subscriptions program. Whatever the RPC does, from silence to lies, comes
 * back as a value; what throws is a bug, an address that is not one, or a signer that does not sign.
 */
export function createSolanaChain(options: SolanaChainOptions): Chain {
  const { charger, network, clock } = options;
  const compute: Compute = {
    unitLimit: options.computeUnitLimit ?? 200_000,
    unitPrice: options.computeUnitPrice ?? 0n,
  };
  const addresses = createAddresses();
  const floor = createSlotFloor(clock);
  const timeouts = options.timeouts ?? { answerMs: 5_000, totalMs: 12_000 };
  const genesis = options.genesisHash ?? genesisOf(network);
  const asking = createFailover(endpointsOf(options.rpc), clock, timeouts);
  const ask = withinCluster(asking, genesis, clock, timeouts.answerMs);
  const readAccounts = createReadAccounts(ask, floor);
  const node = createNode(ask, floor, clock);

  return {
    network,
    charger: charger.address,

    async head(): Promise<Answer<ChainHead>> {
      const [heights, clockRead] = await Promise.all([
        node.heights('confirmed'),
        readAccounts([CLOCK_SYSVAR], 'confirmed'),
      ]);
      if (!heights.ok) return heights;
      if (!clockRead.ok) return clockRead;
      const time = readClock(clockRead.value.accounts[0] ?? null);
      if (time === null) return { ok: false, unavailable: { kind: 'transport' } };
      return { ok: true, value: { ...heights.value, time } };
    },

    async planAddress(owner, number) {
      const [plan] = await addresses.plan(address(owner), number);
      return plan;
    },
    subscriptionAddress: (plan, wallet) => addresses.subscription(address(plan), address(wallet)),

    async readPlan(plan): Promise<Answer<PlanView | null>> {
      const read = await readAccounts([address(plan)], 'confirmed');
      return read.ok ? readPlanView(read.value.accounts[0] ?? null) : read;
    },
    async readMint(mint): Promise<Answer<MintView | null>> {
      const read = await readAccounts([address(mint)], 'confirmed');
      return read.ok ? { ok: true, value: readMint(read.value.accounts[0] ?? null) } : read;
    },
    readCharges: (asks, commitment) => readCharges(asks, commitment, { readAccounts, addresses }),

    build: (asked) => build(asked, { node, addresses, charger: charger.address, compute, clock }),
    signatureOf,
    inspect,
    cosign: (submitted, lastValidBlockHeight) => cosign(submitted, lastValidBlockHeight, charger),
    simulate: (wire) => simulate(wire, node),

    signCharges: (orders) => signCharges(orders, { node, addresses, charger, compute }),
    send: (wires) => send(wires, ask),
    resolve: (asks) => resolve(asks, { ask, node }),
  };
}
