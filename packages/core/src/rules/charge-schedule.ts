import { dayOf, periodMs, plusDays, type DueSubscription, type Plan } from '../records/index.js';
import { LAST_MINUTES_MS, earlier, later, plus } from './billing-periods.js';
import { tryKind } from './upcoming.js';

const HOUR_MS = 3_600_000;

/** The next charge or retry of a subscription, to the hour, so that those of many can be counted together. */
export interface DueCharge {
  readonly kind: 'charge' | 'retry';
  /** The start of its hour. */
  readonly at: Date;
  /** How many hours later its billing grid has the charge after it; null when none is known. */
  readonly hoursToNext: number | null;
}

/** How many charges or retries are due on a day, which is given by its start in UTC. */
export interface DueOnDay {
  readonly day: Date;
  readonly kind: DueCharge['kind'];
  readonly count: number;
}

/** The next charge or retry of a subscription; null when none comes. */
export function dueCharge(subscription: DueSubscription, plan: Plan): DueCharge | null {
  const { nextTryAt, paidPeriodEnd } = subscription;
  const kind = tryKind(subscription);
  if (nextTryAt === null || kind === null || kind === 'end') return null;
  const at = hourOf(nextTryAt);
  const next = paidPeriodEnd && hourOf(boundaryAfter(nextTryAt, paidPeriodEnd, periodMs(plan)));
  return { kind, at, hoursToNext: next && (next.getTime() - at.getTime()) / HOUR_MS };
}

/**
 * A due charge and those that follow it until a date, one item for each day that has any, as if every charge
 * pays (management#sums-by-day). An overdue one is due today; none are in the plan's last minutes.
 */
export function chargeSchedule(
  { kind, at, hoursToNext }: DueCharge,
  plan: Plan,
  now: Date,
  until: Date,
): readonly DueOnDay[] {
  const end = earlier(until, plan.endsAt === null ? null : plus(plan.endsAt, -LAST_MINUTES_MS));
  const triedAt = later(at, now);
  if (triedAt >= end) return [];
  const due: DueOnDay[] = [{ day: dayOf(triedAt), kind, count: 1 }];
  if (hoursToNext === null) return due;
  const length = periodMs(plan);
  let next = plus(at, hoursToNext * HOUR_MS);
  if (next <= triedAt) next = boundaryAfter(triedAt, next, length);
  while (next < end) {
    const day = dayOf(next);
    const rest = earlier(end, plusDays(day, 1)).getTime() - next.getTime();
    const count = Math.ceil(rest / length);
    due.push({ day, kind: 'charge', count });
    next = plus(next, count * length);
  }
  return due;
}

/** The first boundary after an instant, of the billing grid that has this boundary. */
function boundaryAfter(at: Date, boundary: Date, length: number): Date {
  const passed = Math.floor((at.getTime() - boundary.getTime()) / length);
  return plus(boundary, (passed + 1) * length);
}

function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS);
}
