import { type DueSubscription, type Plan, dayOf, periodMs } from '../records/index.js';
import { LAST_MINUTES_MS, earlier, later, plus } from './billing-periods.js';
import { upcomingTry } from './upcoming.js';

const DAY_MS = 86_400_000;

/** How many charges or retries of a subscription are due on a day, which is given by its start in UTC. */
export interface DueOnDay {
  readonly day: Date;
  readonly kind: 'charge' | 'retry';
  readonly count: number;
}

/**
 * The charges of a running subscription from now until a date, one item for each day that has any, as if
 * every charge pays (management#sums-by-day). Overdue ones are due today; none are in the plan's last
 * minutes.
 */
export function chargeSchedule(
  subscription: DueSubscription,
  plan: Plan,
  now: Date,
  until: Date,
): readonly DueOnDay[] {
  const first = upcomingTry(subscription, plan);
  if (first === null || first.kind === 'end') return [];
  const end = earlier(until, plan.endsAt === null ? null : plus(plan.endsAt, -LAST_MINUTES_MS));
  const triedAt = later(first.dueAt, now);
  if (triedAt >= end) return [];
  const due: DueOnDay[] = [{ day: dayOf(triedAt), kind: first.kind, count: 1 }];
  if (subscription.paidPeriodEnd === null) return due;
  const length = periodMs(plan);
  // The charges after it are made at the boundaries of the billing grid.
  let at = boundaryAfter(triedAt, subscription.paidPeriodEnd, length);
  while (at < end) {
    const day = dayOf(at);
    const rest = earlier(end, plus(day, DAY_MS)).getTime() - at.getTime();
    const count = Math.ceil(rest / length);
    due.push({ day, kind: 'charge', count });
    at = plus(at, count * length);
  }
  return due;
}

/** The first boundary after an instant, of the billing grid that has this boundary. */
function boundaryAfter(at: Date, boundary: Date, length: number): Date {
  const passed = Math.floor((at.getTime() - boundary.getTime()) / length);
  return plus(boundary, (passed + 1) * length);
}
