import type { Committer } from '../../commits/commit-changes.js';
import type { Service } from '../../service.js';
import { commitUnits } from './commit-batch.js';
import { type ChargeTransaction, signAlone } from './sign-charges.js';

/**
 * Stores the intents of charges, and returns the transactions that may be sent: those of which every charge is stored.
 * The charges that share a transaction are stored together or not at all, because whoever finds one of them may send it.
 * When they cannot be, each is signed again in a transaction of its own, so that the one at fault holds up no other.
 */
export async function storeIntents(
  service: Service,
  committer: Committer,
  transactions: readonly ChargeTransaction[],
  now: Date,
): Promise<readonly ChargeTransaction[]> {
  const store = async (given: readonly ChargeTransaction[]) => {
    const units = given.map((charges) => charges.map(({ changes }) => changes));
    const { stored, separated } = await commitUnits(service, committer, units, now);
    return {
      stored: given.filter((charges) => charges.every(({ changes }) => stored.has(changes))),
      separated: given.flat().filter(({ changes }) => separated.has(changes)),
    };
  };
  const together = await store(transactions);
  const alone = await store(await signAlone(service, together.separated));
  return [...together.stored, ...alone.stored];
}
