import type { SignatureQuery, TransactionOutcome } from '@subrail/core/ports';
import { forgetOldest } from '../../forget-oldest.js';

/** The fruitless look-ups after which a transaction counts as lost (attempts#lost-transaction). */
const LOOKUPS_UNTIL_LOST = 2;
/** The most transactions to remember; the oldest are forgotten. */
const MOST_REMEMBERED = 10_000;

/** Remembers which transactions were sent, to notice the loss of one. */
export interface SentTransactions {
  /** Remembers a transaction that is about to be sent. */
  add(signature: string): void;
  /** Whether these outcomes show the loss of a sent transaction, once for each transaction. */
  showLoss(queries: readonly SignatureQuery[], outcomes: readonly TransactionOutcome[]): boolean;
}

/** Creates the memory, which begins empty. */
export function createSentTransactions(): SentTransactions {
  /** By signature, how many look-ups have not found it. */
  const notFound = new Map<string, number>();

  const isLost = (signature: string, outcome: TransactionOutcome | undefined): boolean => {
    const count = notFound.get(signature);
    if (count === undefined) return false;
    switch (outcome?.kind) {
      case undefined:
      case 'unknown':
      case 'waiting':
        return false;
      case 'landed':
      case 'failed':
      case 'undone':
        notFound.delete(signature);
        return false;
      case 'not_found':
        if (count + 1 < LOOKUPS_UNTIL_LOST) notFound.set(signature, count + 1);
        else notFound.delete(signature);
        return count + 1 >= LOOKUPS_UNTIL_LOST;
    }
  };

  return {
    add(signature) {
      if (!notFound.has(signature)) notFound.set(signature, 0);
      forgetOldest(notFound, MOST_REMEMBERED);
    },
    showLoss(queries, outcomes) {
      // Payments that share a transaction have one outcome, and it counts once.
      const found = new Map(queries.map(({ signature }, index) => [signature, outcomes[index]]));
      return [...found].filter(([signature, outcome]) => isLost(signature, outcome)).length > 0;
    },
  };
}
