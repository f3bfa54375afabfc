import type { AttemptWire } from '../contract/attempt.js';
import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { Attempt } from '../records/index.js';

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
