import type {
  Attempt,
  DayFigures,
  Plan,
  ProjectId,
  Subscription,
  SubscriptionEvent,
  SubscriptionId,
} from '@subrail/core/ports';
import type { TestWorld } from '@subrail/test-world';
import { expect } from 'vitest';
import { attemptsOf } from './attempts-of.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The figures of a day as plain values, with the names of the sums. */
interface Counted {
  running: number;
  recurring: number;
  price: string | null;
  readonly sums: { [name: string]: bigint | undefined };
}

/** The fields of a snapshot that say what a subscription counts as. */
interface Snapshot {
  readonly status: string;
  readonly access: boolean;
  readonly paused: boolean;
  readonly confirmed_at: string;
  readonly stop_reason: string | null;
  readonly end_reason: string | null;
  readonly late_reason: string | null;
  readonly blocked_reason: string | null;
}

/**
 * Checks that the figures of every plan and day equal a count of the attempts, events and due charges that
 * are stored (figures#figures-equal-a-recount).
 * @param ids every subscription that was ever made in the world
 */
export async function expectFigures(world: TestWorld, ids: readonly string[]): Promise<void> {
  const attempts: Attempt[] = [];
  for (const id of ids) attempts.push(...(await attemptsOf(world, id as SubscriptionId)));
  const projectId = world.projectId as ProjectId;
  const plans = new Map<string, Plan>();
  const subscriptions: Subscription[] = [];
  for (const id of ids) {
    const subscription = await world.store.findSubscription(projectId, id as SubscriptionId);
    const plan = subscription && (await world.store.findPlan(subscription.planId));
    if (subscription === null || plan === null) continue;
    plans.set(id, plan);
    subscriptions.push(subscription);
  }
  const counted = new Map<string, Counted>();
  const dayOf: DayOf = (subscriptionId, instant) => {
    const plan = plans.get(subscriptionId);
    if (plan === undefined) throw new Error(`The plan of ${subscriptionId} is unknown.`);
    const day = nameOf(plan.id, new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS));
    const sums = counted.get(day) ?? { running: 0, recurring: 0, price: null, sums: {} };
    counted.set(day, sums);
    return sums;
  };
  // The price that is known last wins, and of one instant that of the greater id.
  for (const attempt of attempts.toSorted(byInstant))
    countAttempt(dayOf(attempt.subscriptionId, attempt.attemptedAt), attempt);
  countEvents(dayOf, plans, await world.storedEvents());
  for (const one of subscriptions) countDue(dayOf, one, plans.get(one.id) as Plan);

  const days = await world.store.readFigures(projectId, new Date(0), new Date(8.64e15));
  expect(withoutEmpty(days.map((day) => [nameOf(day.planId, day.day), plain(day)]))).toEqual(
    withoutEmpty([...counted]),
  );
}

/** Finds what was counted of a day and the plan of a subscription. */
type DayOf = (subscriptionId: string, instant: Date) => Counted;

const nameOf = (planId: string, day: Date): string => `${planId} ${day.toISOString()}`;

/** The figures of each plan and day of which anything was counted, without the sums of 0. */
function withoutEmpty(days: readonly (readonly [day: string, counted: Counted])[]) {
  return Object.fromEntries(
    days.flatMap(([day, { running, recurring, price, sums }]) => {
      const left = Object.entries(sums).filter(([, sum]) => sum !== 0n);
      const isEmpty = running === 0 && recurring === 0 && price === null && left.length === 0;
      const figures = { running, recurring, price, sums: Object.fromEntries(left) };
      return isEmpty ? [] : [[day, figures] as const];
    }),
  );
}

function byInstant(one: Attempt, other: Attempt): number {
  return one.attemptedAt.getTime() - other.attemptedAt.getTime() || (one.id < other.id ? -1 : 1);
}

function plain({ running, recurring, price, sums, cohorts }: DayFigures): Counted {
  const known = price && `${price.amountUsd} for ${price.amount}`;
  return { running, recurring, price: known, sums: { ...sums, ...cohorts } };
}

function countAttempt(day: Counted, attempt: Attempt): void {
  const { outcome, reason, amount, amountUsd, fee, retry, retryNumber } = attempt;
  const add = adderOf(day);
  if (amountUsd !== null && amount > 0n) day.price = `${amountUsd} for ${amount}`;
  if (fee !== null) add('fees', fee);
  const number = retryNumber ?? 'hand';
  if (outcome === 'paid') {
    add('paid', 1n);
    add('paid.amount', amount);
    if (amountUsd === null) add('paid.unpriced', 1n);
    else add('paid.usd', BigInt(Math.round(Number(amountUsd) * 1e6)));
    if (!retry) return;
    add('recovered', 1n);
    add('recovered.amount', amount);
    add(`retry.paid/${number}`, 1n);
    return;
  }
  add(`unpaid/${outcome}/${reason}`, 1n);
  if (outcome !== 'rejected') return;
  if (retry) return add(`retry.failed/${number}`, 1n);
  add(`failed/${reason}`, 1n);
  add(`failed.amount/${reason}`, amount);
}

/** Counts the charge or retry that comes next, and how many hours later the grid has another one. */
function countDue(dayOf: DayOf, subscription: Subscription, plan: Plan): void {
  const { status, pausedAt, termsSigned, late, nextTryAt, paidPeriodEnd } = subscription;
  if (nextTryAt === null || pausedAt !== null || !termsSigned) return;
  if (status !== 'active' && status !== 'unpaid') return;
  const isRetried = late !== null && (late.automatic !== null || late.queuedAt !== null);
  if (late !== null && !isRetried && late.deadline !== null) return;
  const hourOf = (ms: number) => Math.floor(ms / HOUR_MS);
  let boundary = paidPeriodEnd?.getTime() ?? null;
  while (boundary !== null && boundary <= nextTryAt.getTime()) boundary += plan.periodHours * HOUR_MS;
  const ahead = boundary === null ? '' : hourOf(boundary) - hourOf(nextTryAt.getTime());
  const kind = isRetried ? 'retry' : 'charge';
  adderOf(dayOf(subscription.id, nextTryAt))(`due/${kind}/${hourOf(nextTryAt.getTime()) % 24}/${ahead}`, 1n);
}

/** Counts the changes that events tell. The events of one change share its snapshot. */
function countEvents(
  dayOf: DayOf,
  plans: ReadonlyMap<string, Plan>,
  events: readonly SubscriptionEvent[],
): void {
  const states = new Map<string, { runs: boolean; recurs: boolean; begun: string }>();
  for (const event of events) {
    const { subscriptionId, type, data, detail, createdAt } = event;
    const after = data as unknown as Snapshot;
    const before = states.get(subscriptionId) ?? { runs: false, recurs: false };
    // One that had stopped does not run again by being cancelled.
    const begins = isRunning(after) && !(states.has(subscriptionId) && after.status === 'cancelled');
    const runs = endsOf(events, event) ? false : before.runs || begins;
    const recurs = ['active', 'unpaid'].includes(after.status) && after.access && !after.paused;
    states.set(subscriptionId, { runs, recurs, begun: after.confirmed_at });
    if (before.runs === runs && before.recurs === recurs) continue;
    const day = dayOf(subscriptionId, createdAt);
    const add = adderOf(day);
    const change = Number(runs) - Number(before.runs);
    day.running += change;
    day.recurring += Number(recurs) - Number(before.recurs);
    add(`cohort/${after.confirmed_at.slice(0, 7)}`, BigInt(change));
    if (change === -1) add(`ended/${after.stop_reason ?? after.end_reason}`, 1n);
    else if (change === 1 && type === 'subscription.created') {
      const { previous_id: previousId } = detail as { previous_id?: string };
      // What came before a change of plan was of another plan.
      const isComeback =
        previousId !== undefined && plans.get(previousId)?.id === plans.get(subscriptionId)?.id;
      add(isComeback ? 'comeback' : 'new', 1n);
      add(`begun/${after.confirmed_at.slice(0, 7)}`, 1n);
      const previous = isComeback ? states.get(previousId) : undefined;
      if (previous?.runs !== true) continue;
      // A comeback over a cancelled one ends that, which raises no event.
      day.running -= 1;
      add(`cohort/${previous.begun.slice(0, 7)}`, -1n);
      add('ended/superseded', 1n);
      previous.runs = false;
    } else if (change === 1) add('reinstated', 1n);
    else if (recurs) add('restored', 1n);
    else add(`lapsed/${lapseOf(after)}`, 1n);
  }
}

function isRunning({ status }: Snapshot): boolean {
  return ['active', 'unpaid', 'cancelled'].includes(status);
}

/** Whether the change that raised an event stopped or ended the subscription. */
function endsOf(
  events: readonly SubscriptionEvent[],
  { subscriptionId, createdAt, data }: SubscriptionEvent,
): boolean {
  return events.some(
    (one) =>
      one.subscriptionId === subscriptionId &&
      one.createdAt.getTime() === createdAt.getTime() &&
      (one.type === 'subscription.stopped' || one.type === 'subscription.ended') &&
      JSON.stringify(one.data) === JSON.stringify(data),
  );
}

function lapseOf({ status, paused, late_reason, blocked_reason }: Snapshot): string {
  if (status === 'cancelled') return 'cancelled';
  return paused ? 'paused' : (late_reason ?? blocked_reason ?? status);
}

function adderOf({ sums }: Counted) {
  return (name: string, value: bigint) => void (sums[name] = (sums[name] ?? 0n) + value);
}
