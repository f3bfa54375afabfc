import { type Rpc, type SolanaRpcApi, isBlockhash } from '@solana/kit';
import type { Clock, Network } from '@subrail/core/ports';
import { MalformedResponse, text } from './response-fields.js';
import type { Ask } from './failover.js';
import { withDeadline } from './deadline.js';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Thrown for an endpoint of another chain: nothing it says is about ours. */
export class OtherCluster extends Error {
  constructor() {
    super('The endpoint is of another cluster.');
    this.name = 'OtherCluster';
  }
}

/** The genesis hash every endpoint must have; null when the first that answers decides. */
export function genesisOf(network: Network): string | null {
  switch (network) {
    case 'mainnet-beta':
      return MAINNET_GENESIS;
    case 'devnet':
      // A local chain stands in for devnet, and each has a genesis of its own.
      return null;
  }
}

/**
 * Puts questions only to endpoints of one cluster. On another one every subscription would look closed. Each endpoint is
 * asked for its genesis hash once, before its first question and within its time; one of another cluster stays silent.
 */
export function withinCluster(ask: Ask, genesis: string | null, clock: Clock, answerMs: number): Ask {
  let expected = genesis;
  const known = new Map<Rpc<SolanaRpcApi>, string>();
  const pending = new Map<Rpc<SolanaRpcApi>, Promise<string>>();

  const tell = async (rpc: Rpc<SolanaRpcApi>): Promise<string> => {
    try {
      const answer = await withDeadline(clock, answerMs, (signal) =>
        rpc.getGenesisHash().send({ abortSignal: signal }),
      );
      const hash = text(answer, 'genesis hash');
      if (!isBlockhash(hash)) throw new MalformedResponse('genesis hash');
      known.set(rpc, hash);
      return hash;
    } finally {
      pending.delete(rpc);
    }
  };
  const admit = async (rpc: Rpc<SolanaRpcApi>): Promise<void> => {
    let hash = known.get(rpc);
    if (hash === undefined) {
      const telling = pending.get(rpc) ?? tell(rpc);
      pending.set(rpc, telling);
      hash = await telling;
    }
    expected ??= hash;
    if (hash !== expected) throw new OtherCluster();
  };

  return (question) => {
    let put = false;
    return ask({
      put: async (rpc, signal) => {
        put = false;
        await admit(rpc);
        put = true;
        return question.put(rpc, signal);
      },
      read: (answer) => question.read(answer),
      // An error of the genesis hash says nothing of the question.
      readError: (error) => (put ? question.readError?.(error) : undefined),
    });
  };
}
