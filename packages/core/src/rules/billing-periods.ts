import { type Plan, periodMs } from '../records/index.js';

/** A period of the billing grid: from `start` inclusive to `end` exclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The last part of a plan, in which nothing is charged (retries#last-two-minutes-of-a-plan). */
export const LAST_MINUTES_MS = 2 * 60_000;

/** The chain counts in whole seconds. */
const SECOND_MS = 1000;

/** The instant `ms` milliseconds after `at`. */
export function plus(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** The earlier of two dates; the first when the second is null. */
export function earlier(a: Date, b: Date | null): Date {
  return b === null || a.getTime() <= b.getTime() ? a : b;
}

/** The later of two dates; the first when the second is null. */
export function later(a: Date, b: Date | null): Date {
  return b === null || a.getTime() >= b.getTime() ? a : b;
}

/** The period that starts at a boundary of the billing grid. */
export function periodFrom(start: Date, plan: Pick<Plan, 'periodHours'>): Period {
  return { start, end: plus(start, periodMs(plan)) };
}

/** The period of an instant on the grid with this anchor (billing-periods#billing-grid). */
export function periodAt(anchor: Date, plan: Pick<Plan, 'periodHours'>, at: Date): Period {
  const length = periodMs(plan);
  const periodsPassed = Math.floor((at.getTime() - anchor.getTime()) / length);
  return periodFrom(plus(anchor, periodsPassed * length), plan);
}

/**
 * The start of the period that a transfer pays when it lands at an instant. `boundary` is any boundary of the
 * grid. No new period starts at or after the plan's end (billing-periods#payment-past-a-boundary).
 */
export function periodPaidAt(
  plan: Pick<Plan, 'periodHours' | 'endsAt'>,
  boundary: Date,
  landedAt: Date,
): Date {
  const latest = plan.endsAt === null ? landedAt : earlier(landedAt, plus(plan.endsAt, -SECOND_MS));
  return periodAt(boundary, plan, latest).start;
}

/**
 * Whether a charge may be scheduled for an instant, which must be before the plan's last two minutes
 * (retries#last-two-minutes-of-a-plan).
 */
export function chargeable(at: Date, plan: Pick<Plan, 'endsAt'>): boolean {
  return plan.endsAt === null || at.getTime() < plan.endsAt.getTime() - LAST_MINUTES_MS;
}

/** The first second in which the chain shows a plan as ended. In the second of its end it still runs. */
export function endShownOnChain(endsAt: Date): Date {
  return plus(endsAt, SECOND_MS);
}

/**
 * When the chain is next read for a subscription that has nothing due before `at`: then, or when the chain
 * shows an end of the plan that comes too soon for a charge.
 */
export function nextReadAt(at: Date, plan: Pick<Plan, 'endsAt'>): Date {
  return plan.endsAt === null || chargeable(at, plan) ? at : endShownOnChain(plan.endsAt);
}
