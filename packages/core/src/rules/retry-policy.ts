import { type Late, type Plan, type RetryPolicy, periodMs } from '../records/index.js';
import type { Tier } from '../contract/tiers.js';
import type { At } from './at.js';
import { chargeable, later, plus } from './billing-periods.js';

/** Three retries, a quarter of the period apart and at most a day (retries#default-retry-policy). */
function defaultRetryPolicy(plan: Pick<Plan, 'periodHours'>): RetryPolicy {
  return { attempts: 3, waitMs: Math.min(periodMs(plan) / 4, 24 * 3_600_000) };
}

/** The automatic retries of a missed charge, or null without any (retries#retry-policy-on-free). */
export function retryPolicy(plan: Pick<Plan, 'retryPolicy' | 'periodHours'>, tier: Tier): RetryPolicy | null {
  if (!tier.automaticRetries) return null;
  return plan.retryPolicy ?? defaultRetryPolicy(plan);
}

/** Whether a late subscription has automatic retries and its tier none, or the other way round. */
export function retriesDifferFromTier({ automatic }: Pick<Late, 'automatic'>, tier: Tier): boolean {
  return (automatic !== null) !== tier.automaticRetries;
}

/** Manual retries of a missed period without automatic ones (retries#manual-retries-on-free). */
export const MANUAL_RETRIES = 3;

/** The wait between two manual retries where no retry is automatic (retries#manual-retries-on-free). */
export const MANUAL_RETRY_WAIT_MS = 10 * 60_000;

/**
 * The manual retries of a missed period that are left without automatic ones: none once the deadline has
 * passed, or when the next may only come after it or in the last minutes of the plan.
 */
export function manualRetriesLeft(
  { byHand, deadline }: Pick<Late, 'byHand' | 'deadline'>,
  { plan, now }: { readonly plan: Pick<Plan, 'endsAt'>; readonly now: Date },
): number {
  const { count, lastAt } = byHand;
  if (deadline === null) return 0;
  const next = lastAt === null ? now : later(now, plus(lastAt, MANUAL_RETRY_WAIT_MS));
  const isTooLate = !chargeable(next, plan) || next >= deadline;
  return isTooLate ? 0 : Math.max(0, MANUAL_RETRIES - count);
}

/** The retries of the plan that are left: none when the plan or the deadline ends before the next one. */
export function retriesLeft(late: Late | null, nextRetryAt: Date | null, at: At): number {
  if (late === null) return 0;
  const { automatic } = late;
  if (automatic === null) return manualRetriesLeft(late, at);
  return nextRetryAt === null ? 0 : automatic.allowed - automatic.spent;
}

/** Whether a manual retry of a missed period may still come. */
export function hasManualRetry(late: Late, at: At): boolean {
  return late.automatic === null ? manualRetriesLeft(late, at) > 0 : chargeable(at.now, at.plan);
}

/** Whether a missed period only waits for its deadline (retries#retry-deadline-on-free). */
export function isGivenUp(late: Late, at: At): boolean {
  return late.deadline !== null && late.queuedAt === null && !hasManualRetry(late, at);
}

/** Whether no manual retry of a missed period is left, where no retry is automatic. */
export function manualRetriesSpent({ automatic, byHand }: Pick<Late, 'automatic' | 'byHand'>): boolean {
  return automatic === null && byHand.count >= MANUAL_RETRIES;
}
