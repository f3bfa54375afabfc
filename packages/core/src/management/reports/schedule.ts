import { toAmountText } from '../../contract/scalars.js';
import type { DuePlace, DueSubscriptions, UnreadableRecord } from '../../ports/index.js';
import {
  dayOf,
  plusDays,
  type DayFigures,
  type KnownPrice,
  type Plan,
  type Project,
} from '../../records/index.js';
import { chargeSchedule } from '../../rules/charge-schedule.js';
import { byPlanAndDay, dueOf, figuresOfDue } from '../../rules/figures.js';
import { usdText } from '../../rules/money.js';
import { worthInMillionths } from '../../rules/recurring-revenue.js';
import type { Service } from '../../service.js';
import { setAside } from '../read-rows.js';
import { dateText } from './date-text.js';
import { lastPrices } from './last-prices.js';
import type { Schedule, ScheduledSum, ScheduleQuery } from './schemas.js';

/** For how many days what is overdue is in figures. What is older, which is little, is read one by one. */
const OVERDUE_DAYS = 31;

const STEP = 200;

/** A count, and a sum in the token's smallest unit. */
interface Sum {
  count: number;
  amount: bigint;
}

interface Sums {
  readonly day: Date;
  readonly mint: string;
  readonly decimals: number;
  readonly charge: Sum;
  readonly retry: Sum;
}

/**
 * Sums up the due charges of each day in each token (management#sums-by-day), from the figures of these days.
 * What has been overdue for more than a month is read in steps; only sums stay in memory.
 */
export async function readSchedule(
  service: Service,
  project: Project,
  { days }: ScheduleQuery,
): Promise<Schedule> {
  const { store } = service;
  const now = service.clock.now();
  const from = dayOf(now);
  const until = plusDays(from, days);
  const plans = new Map((await store.listPlans(project.id, null)).map((plan) => [plan.id, plan]));
  const since = plusDays(from, -OVERDUE_DAYS);
  const figures = await store.readFigures(project.id, since, until, 'sums');
  const overdue = await readOverdue(service, project, since);
  const sums = new Map<string, Sums>();
  for (const figure of [...figures, ...overdue.figures]) {
    const plan = plans.get(figure.planId);
    if (plan === undefined) continue;
    for (const { count, ...due } of dueOf(figure))
      for (const { day, kind, count: times } of chargeSchedule(due, plan, now, until))
        add(sumOf(sums, day, plan)[kind], {
          count: count * times,
          amount: BigInt(count * times) * plan.amount,
        });
  }
  const prices = sums.size === 0 ? new Map<string, never>() : await lastPrices(service, project);
  return {
    from: dateText(from),
    to: dateText(plusDays(until, -1)),
    data: [...sums.values()].sort(byDay).map(({ day, mint, decimals, charge, retry }) => ({
      date: dateText(day),
      mint,
      decimals,
      charges: priced(charge, prices.get(mint) ?? null),
      retries: priced(retry, prices.get(mint) ?? null),
    })),
    unreadable: setAside(service, overdue.unreadable, 'A subscription was left out of a schedule'),
  };
}

/** What has been due since before a day, as figures. */
async function readOverdue({ store }: Service, { id: projectId }: Project, day: Date) {
  const unreadable: UnreadableRecord[] = [];
  let figures: readonly DayFigures[] = [];
  let after: DuePlace | null = null;
  do {
    const step: DueSubscriptions = await store.listByNextTry(projectId, after, STEP, day);
    const added = step.due.flatMap(({ subscription, plan }) =>
      figuresOfDue({ projectId, ...subscription }, plan, 1n),
    );
    figures = byPlanAndDay([...figures, ...added]);
    unreadable.push(...step.unreadable);
    after = step.next;
  } while (after !== null);
  return { figures, unreadable };
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

function add(to: Sum, { count, amount }: Sum): void {
  to.count += count;
  to.amount += amount;
}

/** A sum with its worth at the last price; null of an amount without one. */
function priced({ count, amount }: Sum, price: KnownPrice | null): ScheduledSum {
  const dollars = amount === 0n ? 0n : worthInMillionths(amount, price);
  return { count, amount: toAmountText(amount), amount_usd: dollars === null ? null : usdText(dollars) };
}

function byDay(one: Sums, other: Sums): number {
  return one.day.getTime() - other.day.getTime() || (one.mint < other.mint ? -1 : 1);
}
