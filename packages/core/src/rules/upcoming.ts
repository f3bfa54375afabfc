import type { EndReason, StopReason } from '../contract/enums.js';
import type { DueSubscription, Plan } from '../records/index.js';
import { chargeable } from './billing-periods.js';

/** The next action of the service on a running subscription. */
export type Upcoming =
  | { readonly kind: 'charge' | 'retry'; readonly dueAt: Date; readonly reason: null }
  /** `reason` is the one with which it will end or stop. */
  | { readonly kind: 'end'; readonly dueAt: Date; readonly reason: EndReason | StopReason };

/** What the next try of a subscription is, whatever its plan does; null when nothing is tried. */
export function tryKind({
  status,
  late,
  pausedAt,
  termsSigned,
  nextTryAt,
}: DueSubscription): Upcoming['kind'] | null {
  if (nextTryAt === null) return null;
  if (status === 'cancelled') return 'end';
  // A parked subscription, or one without signed terms, is not charged and does not stop.
  if ((status !== 'active' && status !== 'unpaid') || pausedAt !== null || !termsSigned) return null;
  if (stopsAtDeadline(late)) return 'end';
  // A late one without retries and without a deadline waits for its next period.
  return late !== null && (late.automatic !== null || late.queuedAt !== null) ? 'retry' : 'charge';
}

/**
 * The next try of a running subscription: a charge, a retry, or an end that its own dates give it. Null when
 * it neither moves money nor ends (management#upcoming-charges).
 */
export function upcomingTry(subscription: DueSubscription, plan: Plan): Upcoming | null {
  const { late, nextTryAt: dueAt } = subscription;
  const kind = tryKind(subscription);
  if (dueAt === null || kind === null) return null;
  if (kind !== 'end') return chargeable(dueAt, plan) ? { kind, dueAt, reason: null } : null;
  if (!stopsAtDeadline(late)) return { kind, dueAt, reason: 'cancelled' };
  return endsBefore(late.deadline, plan) ? null : { kind, dueAt, reason: 'retry_deadline_passed' };
}

/** The end of a running subscription with its plan; null when it has none, or ends before by itself. */
export function upcomingPlanEnd({ status, late, pausedAt }: DueSubscription, plan: Plan): Upcoming | null {
  if (plan.endsAt === null || status === 'cancelled') return null;
  if (pausedAt === null && stopsAtDeadline(late) && !endsBefore(late.deadline, plan)) return null;
  return { kind: 'end', dueAt: plan.endsAt, reason: 'plan_ended' };
}

/** Whether only a manual retry can pay the missed period, so that it stops at the deadline. */
function stopsAtDeadline(
  late: DueSubscription['late'],
): late is NonNullable<DueSubscription['late']> & { readonly deadline: Date } {
  return late !== null && late.automatic === null && late.queuedAt === null && late.deadline !== null;
}

/** Whether the plan ends at a date or before it (retries#plan-end-before-the-deadline). */
function endsBefore(at: Date, { endsAt }: Plan): boolean {
  return endsAt !== null && endsAt <= at;
}
