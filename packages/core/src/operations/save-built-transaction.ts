import type { Commit } from '../ports/index.js';
import type { Subscription } from '../records/index.js';
import type { Service } from '../service.js';

/**
 * Writes a subscription with the transaction that was built for it, and answers the subscription whose transaction is
 * the one to hand out. Of calls at once one is written, and those it was faster than hand out its transaction too: only the
 * one built last is taken, and no caller can know which of its calls that was. `lost` when something else moved the
 * subscription since it was read as `before`.
 */
export async function saveBuiltTransaction(
  service: Service,
  before: Subscription,
  commits: readonly [Commit, ...Commit[]],
): Promise<Subscription | 'lost'> {
  const mine = commits[0].subscription;
  if ((await service.store.commit(commits)) === 'committed') return mine;
  const stored = await service.store.findSubscription(mine.projectId, mine.id);
  if (stored?.built?.action !== mine.built?.action || stored?.status !== mine.status) return 'lost';
  const transaction = stored.built?.transaction;
  const handedOut = transaction !== before.built?.transaction || transaction === mine.built?.transaction;
  return handedOut ? stored : 'lost';
}
