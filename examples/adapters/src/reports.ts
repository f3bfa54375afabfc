import type {
  DuePlace,
  DueSubscriptions,
  Plan,
  ReportStore,
  Subscription,
  SubscriptionFilter,
} from '@subrail/core/ports';
import { newestFirst, type Rows, type Tables } from './tables.js';

type Where = <N extends keyof Rows>(name: N, fields?: Partial<Rows[N]>) => Rows[N][];

/** What an operator asks for. `where` returns the rows whose fields have these values, newest first. */
export function reportsOn(draft: { readonly tables: Tables }, where: Where): ReportStore {
  const withPlan = (subscription: Subscription) => {
    const plan = draft.tables.plans.get(subscription.planId);
    if (plan === undefined) throw new Error(`There is no plan of ${subscription.id}.`);
    return { subscription, plan };
  };

  return {
    async searchSubscriptions(projectId, filter, now, { limit, startingAfter }) {
      const [cursor] = startingAfter === null ? [] : where('subscriptions', { projectId, id: startingAfter });
      if (cursor === undefined && startingAfter !== null) return 'unknown_cursor';
      const rest = where('subscriptions', { projectId, ...fieldsOf(filter) }).filter(
        (row) => fits(row, filter, now) && (cursor === undefined || newestFirst(row, cursor) > 0),
      );
      const found = rest.slice(0, limit).map(withPlan);
      const next = rest.length > limit ? (found.at(-1)?.subscription.id ?? null) : null;
      return { found, unreadable: [], next };
    },
    async countBacklog(now, limit) {
      const hasCome = (date: Date | null) => date !== null && date <= now;
      const woken = where('subscriptions')
        .filter(({ wakeAt }) => hasCome(wakeAt))
        .sort((one, other) => Number(one.wakeAt) - Number(other.wakeAt))
        .slice(0, limit);
      const pending = where('deliveries', { state: 'pending' });
      const held = where('events').filter(({ heldState }) => heldState !== null);
      return {
        wakes: woken.length,
        charges: woken.filter(({ nextTryAt }) => hasCome(nextTryAt)).length,
        deliveries: Math.min(pending.length, limit),
        oldestDeliveryAt: earliest(pending),
        oldestHeldEventAt: earliest(held),
      };
    },
    countHeldEvents: async (subscriptionId) =>
      where('events', { subscriptionId }).filter(({ heldState }) => heldState !== null).length,
    listSubscriptionDeliveries: async (subscriptionId, limit) =>
      where('events', { subscriptionId })
        .flatMap(({ id }) => where('deliveries', { eventId: id }))
        .sort(newestFirst)
        .slice(0, limit),
    async listByNextTry(projectId, after, limit) {
      const running = where('subscriptions', { projectId }).filter(isRunning);
      return soonest(running.map(withPlan), ({ subscription }) => subscription.nextTryAt, after, limit);
    },
    async listByPlanEnd(projectId, after, limit) {
      const running = where('subscriptions', { projectId }).filter(
        ({ status }) => status === 'active' || status === 'unpaid',
      );
      return soonest(running.map(withPlan), ({ plan }) => plan.endsAt, after, limit);
    },
    async listProjectAttempts(projectId, since, until, after, limit) {
      const rest = where('subscriptions', { projectId })
        .flatMap(({ id, planId }) =>
          where('attempts', { subscriptionId: id }).map((row) => ({ ...row, planId })),
        )
        .filter(({ attemptedAt }) => attemptedAt >= since && attemptedAt < until)
        .filter((row) => after === null || newestFirst(after as Rows['attempts'], row) > 0)
        .sort((one, other) => newestFirst(other, one));
      const attempts = rest.slice(0, limit);
      return { attempts, unreadable: [], next: rest.length > limit ? (attempts.at(-1) ?? null) : null };
    },
    async countRunning(projectId) {
      const running = where('subscriptions', { projectId }).filter(isRunning);
      return groupsOf(running, ({ planId, status }) => `${planId} ${status}`).map(([first, rows]) => ({
        planId: first.planId,
        status: first.status,
        count: rows.length,
        parked: rows.filter(({ pausedAt }) => pausedAt !== null).length,
        blocked: rows.filter(({ blockedSince }) => blockedSince !== null).length,
      }));
    },
    async countBegun(projectId, since, until) {
      const begun = where('subscriptions', { projectId }).filter((row) =>
        isBetween(row.confirmedAt, since, until),
      );
      return groupsOf(begun, ({ planId }) => planId).map(([{ planId }, rows]) => ({
        planId,
        count: rows.length,
        comebacks: rows.filter(({ previousId }) => previousId !== null).length,
      }));
    },
    async countLost(projectId, since, until) {
      const lost = where('subscriptions', { projectId }).filter(
        (row) => row.status !== 'superseded' && isBetween(row.lostAt, since, until),
      );
      return groupsOf(lost, ({ planId, lostReason }) => `${planId} ${lostReason}`).map(([first, rows]) => ({
        planId: first.planId,
        reason: first.lostReason,
        count: rows.length,
      }));
    },
  };
}

type Running = Subscription & { readonly status: 'active' | 'unpaid' | 'cancelled' };

function isRunning(row: Subscription): row is Running {
  return row.status === 'active' || row.status === 'unpaid' || row.status === 'cancelled';
}

function isBetween(at: Date | null, since: Date, until: Date): boolean {
  return at !== null && at >= since && at < until;
}

/** The rows that have the same key, each group with its first row. */
function groupsOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const groups = new Map<string, [first: Row, rows: Row[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? [row, []];
    group[1].push(row);
    groups.set(keyOf(row), group);
  }
  return [...groups.values()];
}

type Row = { readonly subscription: Subscription; readonly plan: Plan };

/** The rows that have a date and follow a place, soonest first, by id within one instant. */
function soonest(
  rows: readonly Row[],
  dateOf: (row: Row) => Date | null,
  after: DuePlace | null,
  limit: number,
): DueSubscriptions {
  const dated = rows.flatMap((row) => {
    const at = dateOf(row);
    return at === null ? [] : [{ row, place: { at, id: row.subscription.id } }];
  });
  const rest = dated
    .filter(({ place }) => after === null || isBehind(place, after))
    .sort((one, other) => (isBehind(one.place, other.place) ? 1 : -1));
  const due = rest.slice(0, limit);
  const next = rest.length > limit ? (due.at(-1)?.place ?? null) : null;
  return { due: due.map(({ row }) => row), unreadable: [], next };
}

function isBehind(one: DuePlace, other: DuePlace): boolean {
  return one.at > other.at || (one.at.getTime() === other.at.getTime() && one.id > other.id);
}

/** The filters that a field of the same name must equal. */
function fieldsOf({ id, address, wallet, externalId, email, planId }: SubscriptionFilter) {
  const fields = Object.entries({ id, address, wallet, externalId, email, planId });
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as Partial<Subscription>;
}

function fits(
  { status, cancellation, pausedAt, blockedSince }: Subscription,
  filter: SubscriptionFilter,
  now: Date,
): boolean {
  const hasExpired = status === 'cancelled' && cancellation !== null && cancellation.expiresAt <= now;
  const isLate = status === 'unpaid' && pausedAt === null;
  return (
    (filter.status === null || filter.status === (hasExpired ? 'ended' : status)) &&
    (filter.late === null || filter.late === isLate) &&
    (filter.blocked === null || filter.blocked === (blockedSince !== null))
  );
}

/** When the earliest of the rows was made, or null. */
function earliest(rows: readonly { readonly createdAt: Date }[]): Date | null {
  return rows.reduce<Date | null>(
    (first, { createdAt }) => (first === null || createdAt < first ? createdAt : first),
    null,
  );
}
