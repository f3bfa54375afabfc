import { type Rpc, type SolanaRpcApi, isBlockhash } from '@solana/kit';
import type { Clock, Network } from '@subrail/core/ports';
import { MalformedResponse, text } from './response-fields.js';
import type { CallRpc } from './failover.js';
import { withDeadline } from './deadline.js';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Thrown for an endpoint of another cluster, whose results say nothing about ours. */
export class WrongCluster extends Error {
  constructor() {
    super(
      'The RPC endpoint belongs to another cluster: its genesis hash differs. Check the RPC URLs and the network.',
    );
    this.name = 'WrongCluster';
  }
}

/** The genesis hash that every endpoint must have; null when the first endpoint to respond decides. */
export function expectedGenesis(network: Network): string | null {
  switch (network) {
    case 'mainnet-beta':
      return MAINNET_GENESIS;
    case 'devnet':
      // A local chain also uses this network, and each one has its own genesis hash.
      return null;
  }
}

/**
 * Limits calls to the endpoints of one cluster, since on another cluster every subscription would look closed. Each
 * endpoint reports its genesis hash once, before its first call and within the time of that call. An endpoint of
 * another cluster counts as one that does not respond.
 */
export function requireCluster(call: CallRpc, genesis: string | null, clock: Clock, callMs: number): CallRpc {
  let expected = genesis;
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
    expected ??= hash;
    if (hash !== expected) throw new WrongCluster();
  };

  return (request) => {
    let sent = false;
    return call({
      send: async (rpc, signal) => {
        sent = false;
        await requireSameCluster(rpc);
        sent = true;
        return request.send(rpc, signal);
      },
      read: (response) => request.read(response),
      // An error of `getGenesisHash` says nothing about this request.
      readError: (error) => (sent ? request.readError?.(error) : undefined),
    });
  };
}
