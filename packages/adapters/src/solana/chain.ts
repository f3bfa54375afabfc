import { type TransactionPartialSigner, address, blockhash } from '@solana/kit';
import type { ChainResult, Chain, ChainHead, Clock, PlanView, Telemetry } from '@subrail/core/ports';
import type { Network } from '@subrail/core/schemas';
import { build } from './build/build.js';
import { BuiltLifetimes } from './sign/built-lifetimes.js';
import { inspect, isSignatureOf, signatureOf } from './sign/inspect.js';
import { type ComputeFor, type ComputeUnitPrice, createComputeFor } from './transaction/compute-price.js';
import type { ComputeBudget } from './transaction/message.js';
import { CLOCK_SYSVAR, createAddresses } from './program/addresses.js';
import { addressKind } from './read/address-kind.js';
import { readCharger } from './read/read-charger.js';
import { readCharges } from './read/read-charges.js';
import { ExaminedHistories } from './read/examined-histories.js';
import { readHistory } from './read/read-history.js';
import { readPlans } from './read/read-plans.js';
import { readReceipt } from './read/read-receipt.js';
import { readSubscribers } from './read/read-subscribers.js';
import { readTokensOf } from './read/read-tokens-of.js';
import { resolve } from './send/resolve.js';
import { createReadAccounts } from './rpc/accounts.js';
import { type Timeouts, createFailover } from './rpc/failover.js';
import { requireCluster } from './rpc/cluster.js';
import { createNodeClocks } from './rpc/node-clocks.js';
import { createRpcNode } from './rpc/rpc-node.js';
import { createSlotFloor } from './rpc/slot-floor.js';
import { serverStates } from './rpc/server-states.js';
import { type RpcSource, endpointsOf } from './rpc/sources.js';
import { send } from './send/send.js';
import { createSentTransactions } from './send/sent-transactions.js';
import { PackingRecord } from './sign/packing-record.js';
import { signCharges } from './sign/sign-charges.js';
import { cosign } from './sign/sign.js';
import { readTextSignature } from './sign/text-signature.js';
import { simulate } from './send/simulate.js';
import { decodeWire } from './transaction/wire.js';
import { readNamedMint } from './read/token-names.js';
import { readClock, readPlanView } from './read/views.js';

/** The endpoints of a chain, and the charger. */
export interface SolanaChainOptions {
  /** JSON-RPC endpoints with the whole history, as URLs or kit transports, the preferred one first. */
  readonly rpc: RpcSource | readonly RpcSource[];
  /** The signer that charges, a puller of every plan, who pays the fees of scheduled charges. */
  readonly charger: TransactionPartialSigner;
  /** The network whose tokens are charged. A local chain counts as devnet. */
  readonly network: Network;
  /**
   * The base58 genesis hash that every endpoint must have. Default: on mainnet-beta its own, on devnet that
   * of the first endpoint to respond that is not on mainnet-beta.
   */
  readonly genesisHash?: string;
  /** Waits, and gives the time with which the clocks of the endpoints are compared. */
  readonly clock: Clock;
  /** Milliseconds of a clock that is never set, for deadlines and caches. Default: `performance.now()`. */
  readonly elapsed?: () => number;
  /** The compute units a transaction may use. A signup takes about 50,000. Default: 200,000. */
  readonly computeUnitLimit?: number;
  /**
   * The bid for each compute unit, in micro-lamports; `upTo` bids what recent transactions paid. Default: 0.
   */
  readonly computeUnitPrice?: ComputeUnitPrice;
  /** Whether charges whose simulation passes may share a transaction and its fee. Default: true. */
  readonly packing?: boolean;
  /** Measures each request to an endpoint. Default: none does. */
  readonly telemetry?: Telemetry;
  /** Limits of a call to the chain. Default: 5 seconds for one endpoint, 12 seconds in all. */
  readonly timeouts?: Timeouts;
}

/**
 * Creates the Chain port on Solana's JSON-RPC and the Subscriptions program. Every failure of the RPC is a
 * value, also a false response. Only a fault of the caller throws: a text that is no address, or a signer
 * that does not sign.
 *
 * @example
 * const charger = await signerFromSecret(process.env['CHARGER_KEY'] ?? '', 'CHARGER_KEY');
 * const rpc = 'https://api.devnet.solana.com';
 * const chain = createSolanaChain({ rpc, charger, network: 'devnet', clock });
 */
export function createSolanaChain(options: SolanaChainOptions): Chain {
  const { charger, network, clock, elapsed = () => performance.now() } = options;
  const addresses = createAddresses();
  const floor = createSlotFloor(elapsed);
  const timeouts = options.timeouts ?? { answerMs: 5_000, totalMs: 12_000 };
  const endpoints = endpointsOf(options.rpc, options.telemetry);
  const nodeClocks = createNodeClocks(endpoints, { clock, elapsed });
  const failover = createFailover(endpoints, { clock, elapsed, timeouts, nodeClocks });
  const cluster = { network, genesisHash: options.genesisHash, endpoints: endpoints.length };
  const { call, callEvery, readGenesis } = requireCluster(failover, cluster, clock, timeouts.answerMs);
  const readAccounts = createReadAccounts(call, floor);
  const sent = createSentTransactions();
  const node = createRpcNode({ call, callEvery }, floor, elapsed);
  const computeFor = createComputeFor(
    options.computeUnitLimit ?? 200_000,
    options.computeUnitPrice ?? 0n,
    node,
  );
  const packing = options.packing ?? true;
  const packed = new PackingRecord();
  const lifetimes = new BuiltLifetimes();
  const histories = new ExaminedHistories();
  // The cost of the next charge is estimated with the compute price of the last one.
  let lastBudget: ComputeBudget | null = null;
  const computeForCharges: ComputeFor = async (instructions) => {
    lastBudget = await computeFor(instructions);
    return lastBudget;
  };

  return {
    network,
    charger: charger.address,

    readGenesis,
    async head(): Promise<ChainResult<ChainHead>> {
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

    readCharger: async () =>
      readCharger(charger.address, { node, compute: lastBudget ?? (await computeFor([])), packed }),
    servers: () => serverStates(endpoints, nodeClocks),

    async planAddress(owner, number) {
      const [plan] = await addresses.plan(address(owner), number);
      return plan;
    },
    subscriptionAddress: (plan, wallet) => addresses.subscription(address(plan), address(wallet)),

    async readPlan(plan): Promise<ChainResult<PlanView | null>> {
      const read = await readAccounts([address(plan)], 'confirmed');
      return read.ok ? readPlanView(read.value.accounts[0] ?? null) : read;
    },
    readPlans: (plans, commitment) => readPlans(plans, commitment, readAccounts),
    readMint: (mint) => readNamedMint(address(mint), readAccounts),
    async readAddress(of) {
      const read = await readAccounts([address(of)], 'confirmed');
      if (!read.ok) return read;
      const [account = null] = read.value.accounts;
      return {
        ok: true,
        value: { kind: addressKind(address(of), account), lamports: account?.lamports ?? 0n },
      };
    },
    readTokensOf: (wallet, mint) => readTokensOf(address(wallet), address(mint), { call, floor }),
    readSubscribers: (plan) => readSubscribers(address(plan), { call }),
    readCharges: (targets, commitment) => readCharges(targets, commitment, { readAccounts, addresses }),
    readHistory: (query) =>
      readHistory(query, { call, addresses, charger: charger.address, histories, elapsed }),

    readReceipt: (query) => readReceipt(query, call),

    build: (request) =>
      build(request, {
        ...{ node, readAccounts, addresses, charger: charger.address, computeFor, clock, lifetimes },
      }),
    signatureOf,
    inspect: (submitted, built, wallet) => inspect(submitted, built, wallet, lifetimes),
    isSignatureOf,
    readTextSignature,
    async readLifetime(submitted) {
      const decoded = decodeWire(submitted);
      return decoded === null
        ? { ok: true, value: null }
        : node.lifetimeOf(blockhash(decoded.message.lifetimeToken));
    },
    cosign: (submitted, lastValidBlockHeight) => cosign(submitted, lastValidBlockHeight, charger),
    simulate: (wire) => simulate(wire, node),

    signCharges: (orders) =>
      signCharges(orders, { node, addresses, charger, computeFor: computeForCharges, packing, packed }),
    send: (wires) => send(wires, { callEvery, sent }),
    async resolve(queries) {
      const outcomes = await resolve(queries, { call, node });
      // The first endpoint may have dropped what was lost (attempts#every-url-gets-the-bytes).
      if (sent.showLoss(queries, outcomes)) failover.preferNext();
      return outcomes;
    },
  };
}
