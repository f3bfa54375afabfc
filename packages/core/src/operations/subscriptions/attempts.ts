import type { AttemptPage } from '../../contract/attempt.js';
import type { AttemptsQuery } from '../../contract/requests.js';
import { toAmountText } from '../../contract/scalars.js';
import type { AttemptId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { attemptWire } from '../../wire/attempt.js';
import { requireSubscription } from '../require-subscription.js';
import { unknownCursor } from './list.js';

/**
 * A page of the attempts of one subscription, newest first. `paid` has the count and the sum of all its paid attempts, not
 * only of the page (lists#paid-totals-of-attempts).
 */
export async function listAttempts(
  service: Service,
  project: Project,
  id: string,
  query: AttemptsQuery,
): Promise<AttemptPage> {
  const { subscription } = await requireSubscription(service, project, id);
  const page = await service.store.listAttempts(subscription.id, {
    limit: query.limit,
    startingAfter: (query.starting_after ?? null) as AttemptId | null,
  });
  if (page === 'unknown_cursor') throw unknownCursor();
  return {
    data: page.data.map(attemptWire),
    has_more: page.hasMore,
    paid: { count: subscription.paidCount, amount: toAmountText(subscription.paidAmount) },
  };
}
