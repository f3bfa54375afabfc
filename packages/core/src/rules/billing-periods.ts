import type { Plan } from '../records/index.js';
import { periodMs } from '../records/index.js';

/** A period of the billing grid: from `start` inclusive to `end` exclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** retries#last-two-minutes-of-a-plan: no charge is dated within this long before the plan's end, nor sent then. */
export const LAST_MINUTES_MS = 2 * 60_000;

/** `at` moved by `ms`. */
export function plus(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

export function earlier(a: Date, b: Date | null): Date {
  return b === null || a <= b ? a : b;
}

export function later(a: Date, b: Date | null): Date {
  return b === null || a >= b ? a : b;
}

/** The period that starts at a boundary of the plan's grid. */
export function periodFrom(start: Date, plan: Pick<Plan, 'periodHours'>): Period {
  return { start, end: plus(start, periodMs(plan)) };
}

/** billing-periods#billing-grid: the grid period that holds an instant. Boundaries are the anchor and every whole period after it, for ever. */
export function periodAt(anchor: Date, plan: Pick<Plan, 'periodHours'>, at: Date): Period {
  const length = periodMs(plan);
  const passed = Math.floor((at.getTime() - anchor.getTime()) / length);
  return periodFrom(plus(anchor, passed * length), plan);
}

/** retries#last-two-minutes-of-a-plan: whether a charge may be dated at an instant: not within the last two minutes before the plan's end, nor after it. */
export function chargeable(at: Date, plan: Pick<Plan, 'endsAt'>): boolean {
  return plan.endsAt === null || at.getTime() < plan.endsAt.getTime() - LAST_MINUTES_MS;
}

/** The first second at which the chain agrees that a plan has ended: it counts the end itself in. */
export function endSeen(endsAt: Date): Date {
  return plus(endsAt, 1000);
}

/**
 * When the chain is next read for a subscription that has nothing due before `at`: then, or, when no charge can be made
 * before the plan ends, where the chain agrees that it has ended.
 */
export function tryOrEnd(at: Date, plan: Pick<Plan, 'endsAt'>): Date {
  return plan.endsAt === null || chargeable(at, plan) ? at : endSeen(plan.endsAt);
}
