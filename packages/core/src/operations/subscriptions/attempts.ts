import type { AttemptPage, AttemptWire } from '../../contract/attempt.js';
import type { AttemptsQuery } from '../../contract/requests.js';
import { toAmountText, toWireDate } from '../../contract/scalars.js';
import type { Attempt, AttemptId, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { findSubscription } from '../find-subscription.js';
import { unknownCursor } from './list.js';

/** The charges of one subscription, newest first; `paid` counts all of them since it began (contract, attempts). */
export async function listAttempts(
  service: Service,
  project: Project,
  id: string,
  query: AttemptsQuery,
): Promise<AttemptPage> {
  const { subscription } = await findSubscription(service, project, id);
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

/** Contract, Attempt. */
export function attemptWire(attempt: Attempt): AttemptWire {
  return {
    id: attempt.id,
    attempted_at: toWireDate(attempt.attemptedAt),
    outcome: attempt.outcome,
    reason: attempt.reason,
    amount: toAmountText(attempt.amount),
    amount_received: attempt.amountReceived === null ? null : toAmountText(attempt.amountReceived),
    amount_usd: attempt.amountUsd,
    signature: attempt.signature,
    retry: attempt.retry,
    retry_number: attempt.retryNumber,
    retries_allowed: attempt.retriesAllowed,
    period_start: toWireDate(attempt.periodStart),
  };
}
