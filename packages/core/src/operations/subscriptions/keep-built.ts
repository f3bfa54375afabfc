import type { Commit } from '../../ports/index.js';
import type { Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';

/**
 * Writes a subscription with the transaction that was built for it, and answers the subscription whose transaction is
 * the one to hand out. Of calls at once one is written, and the others hand out the same transaction unless theirs is
 * fresher: only the one built last is taken, and no caller can know which of its calls that was. `lost` when something
 * else moved the subscription.
 */
export async function keepBuilt(service: Service, commit: Commit): Promise<Subscription | 'lost'> {
  const mine = commit.subscription;
  if ((await service.store.commit([commit])) === 'committed') return mine;
  const stored = await service.store.findSubscription(mine.projectId, mine.id);
  return stored !== null && stored.status === mine.status && atLeastAsFresh(stored, mine) ? stored : 'lost';
}

function atLeastAsFresh(stored: Subscription, mine: Subscription): boolean {
  if (stored.built === null || mine.built === null || stored.built.action !== mine.built.action) return false;
  return stored.built.lastValidBlockHeight >= mine.built.lastValidBlockHeight;
}
