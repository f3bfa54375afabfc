import { type Plan, periodMs } from '../records/index.js';

/** A period of the billing grid: from `start` inclusive to `end` exclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** No charge is dated, nor sent, within this time before the plan's end (retries#last-two-minutes-of-a-plan). */
export const LAST_MINUTES_MS = 2 * 60_000;

/** The chain counts in whole seconds. */
const SECOND_MS = 1000;

/** `at` moved by `ms`. */
export function plus(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** The earlier of two dates, where null is no date at all. */
export function earlier(a: Date, b: Date | null): Date {
  return b === null || a <= b ? a : b;
}

/** The later of two dates, where null is no date at all. */
export function later(a: Date, b: Date | null): Date {
  return b === null || a >= b ? a : b;
}

/** The period that starts at a boundary of the billing grid. */
export function periodFrom(start: Date, plan: Pick<Plan, 'periodHours'>): Period {
  return { start, end: plus(start, periodMs(plan)) };
}

/** The period that holds an instant, on the billing grid with this anchor (billing-periods#billing-grid). */
export function periodAt(anchor: Date, plan: Pick<Plan, 'periodHours'>, at: Date): Period {
  const length = periodMs(plan);
  const passed = Math.floor((at.getTime() - anchor.getTime()) / length);
  return periodFrom(plus(anchor, passed * length), plan);
}

/**
 * Start of the period that a transfer pays when it lands at an instant, on the grid through `boundary`. A plan opens
 * no new period from its end on (billing-periods#payment-past-a-boundary).
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
 * Whether a charge may be dated at an instant: before the plan's last two minutes
 * (retries#last-two-minutes-of-a-plan).
 */
export function chargeable(at: Date, plan: Pick<Plan, 'endsAt'>): boolean {
  return plan.endsAt === null || at.getTime() < plan.endsAt.getTime() - LAST_MINUTES_MS;
}

/** The first second at which the chain agrees that a plan has ended. At the end itself the plan still runs there. */
export function endSeen(endsAt: Date): Date {
  return plus(endsAt, SECOND_MS);
}

/**
 * When the chain is next read for a subscription that has nothing due before `at`: at that instant, or, when no
 * charge can be made then because the plan ends, as soon as the chain shows the end.
 */
export function tryOrEnd(at: Date, plan: Pick<Plan, 'endsAt'>): Date {
  return plan.endsAt === null || chargeable(at, plan) ? at : endSeen(plan.endsAt);
}
