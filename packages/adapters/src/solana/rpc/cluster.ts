import { type Rpc, type SolanaRpcApi, isBlockhash } from '@solana/kit';
import type { ChainResult, Clock, Genesis } from '@subrail/core/ports';
import type { Network } from '@subrail/core/schemas';
import { MalformedResponse, WrongCluster, text } from './response-fields.js';
import type { CallRpc, Failover } from './failover.js';
import { withDeadline } from './deadline.js';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Which cluster the endpoints must belong to. */
export interface ClusterOptions {
  readonly network: Network;
  readonly genesisHash?: string | undefined;
  readonly endpoints: number;
}

/** The endpoints of one cluster. */
export interface Cluster {
  /** Calls an endpoint of the cluster. */
  readonly call: CallRpc;
  /** Calls every endpoint of the cluster. */
  readonly callEvery: CallRpc;
  /** Reads the genesis hash of the cluster, or of another network when all endpoints are of it. */
  readonly readGenesis: () => Promise<ChainResult<Genesis>>;
}

/**
 * The genesis hash that every endpoint must have; undefined when the first one outside mainnet-beta decides.
 */
function expectedGenesis(network: Network): string | undefined {
  switch (network) {
    case 'mainnet-beta':
      return MAINNET_GENESIS;
    case 'devnet':
      // A local chain also uses this network, and each one has its own genesis hash.
      return undefined;
  }
}

/**
 * Limits calls to endpoints of one cluster: on another one every subscription would look closed. Each
 * endpoint reports its genesis hash within the time of its first call. Other clusters count as unanswered.
 */
export function requireCluster(
  failover: Failover,
  { network, endpoints, genesisHash = expectedGenesis(network) }: ClusterOptions,
  clock: Clock,
  callMs: number,
): Cluster {
  let expected = genesisHash;
  const genesisOf = (hash: string): Genesis => {
    if (hash === MAINNET_GENESIS) return { hash, network: 'mainnet-beta' };
    return { hash, network: hash === genesisHash ? network : 'devnet' };
  };
  const known = new Map<Rpc<SolanaRpcApi>, string>();
  const pending = new Map<Rpc<SolanaRpcApi>, Promise<string>>();

  const fetchGenesis = async (rpc: Rpc<SolanaRpcApi>): Promise<string> => {
    try {
      const response = await withDeadline(clock, callMs, (signal) =>
        rpc.getGenesisHash().send({ abortSignal: signal }),
      );
      const hash = text(response, 'genesis hash');
      if (!isBlockhash(hash)) throw new MalformedResponse('genesis hash');
      known.set(rpc, hash);
      return hash;
    } finally {
      pending.delete(rpc);
    }
  };
  const requireSameCluster = async (rpc: Rpc<SolanaRpcApi>): Promise<void> => {
    let hash = known.get(rpc);
    if (hash === undefined) {
      const fetching = pending.get(rpc) ?? fetchGenesis(rpc);
      pending.set(rpc, fetching);
      hash = await fetching;
    }
    if (hash !== MAINNET_GENESIS) expected ??= hash;
    if (hash !== expected) throw new WrongCluster();
  };

  const within =
    (call: CallRpc): CallRpc =>
    (request) => {
      const genesisErrors = new Set<unknown>();
      return call({
        ...request,
        send: async (rpc, signal) => {
          try {
            await requireSameCluster(rpc);
          } catch (error) {
            genesisErrors.add(error);
            throw error;
          }
          return request.send(rpc, signal);
        },
        // An error of `getGenesisHash` says nothing about this request.
        readError: (error) => (genesisErrors.has(error) ? undefined : request.readError?.(error)),
      });
    };
  const call = within(failover.call);

  return {
    call,
    callEvery: within(failover.callEvery),
    async readGenesis() {
      const ours = await call({
        send: async (rpc) => known.get(rpc),
        read: (hash) => genesisOf(text(hash, 'genesis hash')),
      });
      if (ours.ok || known.size < endpoints) return ours;
      const another = [...known.values()].map(genesisOf).find((genesis) => genesis.network !== network);
      return another === undefined ? ours : { ok: true, value: another };
    },
  };
}
