import type { DuePlace, UnreadableRecord } from '../../ports/index.js';
import { dayOf, type Plan, type Project } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import { chargeSchedule } from '../../rules/charge-schedule.js';
import type { Service } from '../../service.js';
import { setAside } from '../read-rows.js';
import { dateText } from './date-text.js';
import { add, type Sum, sumWire } from './money-sums.js';
import type { Schedule, ScheduleQuery } from './schemas.js';

const DAY_MS = 86_400_000;

const STEP = 1000;

interface Sums {
  readonly day: Date;
  readonly mint: string;
  readonly decimals: number;
  readonly charge: Sum;
  readonly retry: Sum;
}

/**
 * Sums up the due charges of each day in each token (management#sums-by-day). Subscriptions are read in
 * steps; only sums stay in memory.
 */
export async function readSchedule(
  service: Service,
  project: Project,
  { days }: ScheduleQuery,
): Promise<Schedule> {
  const now = service.clock.now();
  const from = dayOf(now);
  const until = plus(from, days * DAY_MS);
  const sums = new Map<string, Sums>();
  const unreadable: UnreadableRecord[] = [];
  let after: DuePlace | null = null;
  do {
    const step = await service.store.listByNextTry(project.id, after, STEP);
    for (const { subscription, plan } of step.due)
      for (const { day, kind, count } of chargeSchedule(subscription, plan, now, until))
        add(sumOf(sums, day, plan)[kind], { count, amount: BigInt(count) * plan.amount });
    unreadable.push(...step.unreadable);
    after = step.next;
  } while (after !== null && after.at < until);
  return {
    from: dateText(from),
    to: dateText(plus(until, -DAY_MS)),
    data: [...sums.values()].sort(byDay).map(({ day, mint, decimals, charge, retry }) => ({
      date: dateText(day),
      mint,
      decimals,
      charges: sumWire(charge),
      retries: sumWire(retry),
    })),
    unreadable: setAside(service, unreadable, 'A subscription was left out of a schedule'),
  };
}

function sumOf(sums: Map<string, Sums>, day: Date, { mint, decimals }: Plan): Sums {
  const key = `${day.getTime()} ${mint}`;
  const counted = sums.get(key);
  if (counted !== undefined) return counted;
  const none = () => ({ count: 0, amount: 0n });
  const sum = { day, mint, decimals, charge: none(), retry: none() };
  sums.set(key, sum);
  return sum;
}

function byDay(one: Sums, other: Sums): number {
  return one.day.getTime() - other.day.getTime() || (one.mint < other.mint ? -1 : 1);
}
