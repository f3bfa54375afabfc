import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainResult, ChargeView } from '../../ports/index.js';
import { earlier, plus } from '../../rules/billing-periods.js';
import { nextDailyCheck, nextUnreadCheck } from '../../rules/chain-checks.js';
import type { CheckDecision } from '../../rules/decide.js';
import { reinstatement } from '../../rules/reinstatement.js';
import { SECOND_READ_MS, applyDecision, endOfWait, isRecordedAsCancelled } from './apply-decision.js';

/** Applies what a read found that was made although nothing is due (plans#daily-read-of-subscriptions). */
export function applyCheck(changes: SubscriptionChanges, decision: CheckDecision, now: Date): void {
  switch (decision.kind) {
    case 'gone':
      changes.apply({ kind: 'checked', goneSince: now, nextCheckAt: plus(now, SECOND_READ_MS) }, now);
      return;
    case 'unchanged':
      scheduleCheck(changes, decision.wait === null ? null : endOfWait(decision.wait, now), now);
      return;
    case 'cancelled':
      if (isRecordedAsCancelled(changes.subscription, decision.expiresAt)) scheduleCheck(changes, null, now);
      else applyDecision(changes, decision, null, now);
      return;
    case 'ended':
    case 'resumed':
      applyDecision(changes, decision, null, now);
  }
}

/** Reads a subscription again later, because the chain did not answer. */
export function applyUnread(changes: SubscriptionChanges, now: Date): void {
  const { goneSince } = changes.subscription;
  changes.apply(
    { kind: 'checked', goneSince, nextCheckAt: nextUnreadCheck(changes.subscription, changes.plan, now) },
    now,
  );
}

/**
 * Reinstates a subscription that ended as gone when a read at `finalized` finds it on chain
 * (cancel-resume-close#reinstated-after-closed-elsewhere).
 */
export function applyWhatIsFound(
  changes: SubscriptionChanges,
  answer: ChainResult<ChargeView>,
  now: Date,
): void {
  if (!answer.ok) return applyUnread(changes, now);
  const change = reinstatement(changes.subscription, changes.plan, answer.value);
  if (change === null) scheduleCheck(changes, null, now);
  else changes.apply({ kind: 'reinstated', ...change }, now);
}

function scheduleCheck(changes: SubscriptionChanges, soonest: Date | null, now: Date): void {
  const daily = nextDailyCheck(changes.subscription, now);
  const nextCheckAt = daily === null ? soonest : earlier(daily, soonest);
  changes.apply({ kind: 'checked', goneSince: null, nextCheckAt }, now);
}
