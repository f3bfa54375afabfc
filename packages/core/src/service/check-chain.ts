import type { Chain, ChainUnavailable, Logger, Store } from '../ports/index.js';
import type { Alerts } from './alerts.js';
import { warnOfAnotherCharger } from './warn-of-another-charger.js';

/** Thrown when the chain is not the one that the settings and the stored records belong to. */
export class WrongChain extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongChain';
  }
}

/** The result of a check. `unknown`: the chain does not answer. */
export type ChainCheck =
  | { readonly state: 'ok' }
  | { readonly state: 'wrong'; readonly error: WrongChain }
  | { readonly state: 'unknown'; readonly unavailable: ChainUnavailable };

/**
 * Makes the check that the chain is the one of the stored records. The first check of an empty store writes
 * the chain's identity into it. `ok` and `wrong` are final, because the chain of a process does not change;
 * after `unknown`, or a rejection because the store fails, the next call checks again. Concurrent calls share
 * one check.
 */
export function createChainCheck(ports: {
  readonly store: Store;
  readonly chain: Chain;
  readonly logger: Logger;
  readonly alerts: Pick<Alerts, 'seen'>;
}): () => Promise<ChainCheck> {
  let final: ChainCheck | null = null;
  let running: Promise<ChainCheck> | null = null;

  const check = async (): Promise<ChainCheck> => {
    try {
      const result = await checkOnce(ports);
      if (result.state !== 'unknown') final = result;
      if (result.state === 'wrong')
        ports.alerts.seen({ kind: 'chain_wrong', facts: { finding: result.error.message } });
      return result;
    } finally {
      running = null;
    }
  };
  return () => (final === null ? (running ??= check()) : Promise.resolve(final));
}

async function checkOnce({
  store,
  chain,
  logger,
}: Parameters<typeof createChainCheck>[0]): Promise<ChainCheck> {
  const read = await chain.readGenesis();
  if (!read.ok) return { state: 'unknown', unavailable: read.unavailable };
  const { hash, network } = read.value;
  if (network !== chain.network) {
    return wrong(
      `The service is set up for ${chain.network}, but its RPC server is on ${network} (genesis hash ${hash}). Name an RPC server of ${chain.network}, or change the network.`,
    );
  }
  const { charger } = chain;
  const stored = await store.claimChainIdentity({ genesisHash: hash, network, charger });
  if (stored.genesisHash !== hash) {
    return wrong(
      `The database belongs to a chain of ${stored.network} with the genesis hash ${stored.genesisHash}, but the RPC server is on one with the genesis hash ${hash}. Name an RPC server of the database's chain, or use another database.`,
    );
  }
  if (stored.charger !== charger) await warnOfAnotherCharger({ store, chain, logger }, stored.charger);
  return { state: 'ok' };
}

function wrong(message: string): ChainCheck {
  return { state: 'wrong', error: new WrongChain(message) };
}
