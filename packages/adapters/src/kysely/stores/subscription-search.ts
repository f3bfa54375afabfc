import type {
  FoundSubscriptions,
  PageRequest,
  PlanId,
  ProjectId,
  ReportStore,
  SubscriptionFilter,
  SubscriptionId,
  SubscriptionsCounted,
} from '@subrail/core/ports';
import { sql, type SqlBool } from 'kysely';
import type { Place } from '../query/keyset.js';
import { inOrderOf, readWithPlans } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { walk, type Condition, type Walk, type Walked, type Way } from '../query/walk.js';
import { subscriptionTable } from '../tables/subscriptions.js';

const readSubscription = subscriptionTable.decoder();

const WALKED: Walked = { table: 'subscriptions', at: 'created_at' };

/** Searches the subscriptions of a project: finds ids by an index, in steps, then reads the rows. */
export const subscriptionSearch = async (
  handle: Handle,
  ...[projectId, filter, now, page]: Parameters<ReportStore['searchSubscriptions']>
): Promise<FoundSubscriptions | 'unknown_cursor'> => {
  const after = await placeOf(handle, projectId, page);
  if (after === 'unknown_cursor') return after;
  const ways = await waysTo(handle, projectId, filter, now.getTime());
  const { ids, next } = await walk(handle, WALKED, ways, after, page.limit);
  return { ...(await readFound(handle, ids)), next: next as SubscriptionId | null };
};

/** Counts what a search would find, up to a limit. */
export const subscriptionCount = async (
  handle: Handle,
  ...[projectId, filter, now, limit]: Parameters<ReportStore['countSubscriptions']>
): ReturnType<ReportStore['countSubscriptions']> => {
  const ways = await waysTo(handle, projectId, filter, now.getTime());
  const { ids, next } = await walk(handle, WALKED, ways, null, limit);
  return { count: ids.length, more: next !== null, charged: await chargedAgain(handle, ids) };
};

/** The ids of one statement. */
const IDS = 1000;

/** How many of these subscriptions are charged again, by plan. */
async function chargedAgain(
  handle: Handle,
  ids: readonly string[],
): Promise<SubscriptionsCounted['charged']> {
  const counts = new Map<PlanId, number>();
  for (let from = 0; from < ids.length; from += IDS) {
    const part: readonly string[] = ids.slice(from, from + IDS);
    const rows = await handle
      .selectFrom('subscriptions')
      .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
      .select('plan_id as planId')
      .where('subscriptions.id', 'in', part as readonly SubscriptionId[])
      .where('subscriptions.status', 'in', ['active', 'unpaid'])
      .where('paused_at', 'is', null)
      .where('terms_signed', '=', 1)
      // A comparison with no date is not true.
      .where(sql<SqlBool>`(next_try_at < ends_at or (next_try_at is not null and ends_at is null))`)
      .execute();
    for (const { planId } of rows) counts.set(planId, (counts.get(planId) ?? 0) + 1);
  }
  return [...counts].map(([planId, count]) => ({ planId, count }));
}

/** Who the customer of a subscription is, and which one it is. */
export type CustomerFilter = Pick<SubscriptionFilter, 'id' | 'address' | 'wallet' | 'externalId' | 'email'>;

const OF_ANY_STATE = {
  ...{ planId: null, status: null, late: null, blocked: null, failing: null, ending: null },
};

/** Finds the ids of a customer's subscriptions, newest first, at most `limit`, along one index. */
export function subscriptionsOfCustomer(
  handle: Handle,
  projectId: ProjectId,
  customer: CustomerFilter,
  limit: number,
): Promise<Walk> {
  return walk(handle, WALKED, [wayTo(projectId, { ...OF_ANY_STATE, ...customer }, [])], null, limit);
}

/** The condition that a subscription with this id is one of the customer's. */
export function isOfCustomer(id: string, projectId: ProjectId, customer: CustomerFilter): Condition {
  const conditions = Object.values(conditionsOf(projectId, { ...OF_ANY_STATE, ...customer }));
  // A value and no `exists`, for which Postgres may read all that fits. The columns are of the inner table.
  return sql<SqlBool>`(
    select case when ${sql.join(conditions, sql` and `)} then 1 else 0 end
    from subscriptions where subscriptions.id = ${sql.ref(id)}
  ) = 1`;
}

async function placeOf(
  handle: Handle,
  projectId: ProjectId,
  { startingAfter }: PageRequest<SubscriptionId>,
): Promise<Place<number> | null | 'unknown_cursor'> {
  if (startingAfter === null) return null;
  const row = await handle
    .selectFrom('subscriptions')
    .select(['id', 'created_at as at'])
    .where('id', '=', startingAfter)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? 'unknown_cursor';
}

/** The most plans with an end of which each has ways of its own. */
const MOST_PLANS = 20;

/** The ways to what fits: several where no index has all of it in the order of the list. */
async function waysTo(
  handle: Handle,
  projectId: ProjectId,
  filter: SubscriptionFilter,
  now: number,
): Promise<readonly Way[]> {
  const failing =
    filter.failing === true ? narrowed([filter], [{ late: true }, { late: false, blocked: true }]) : [filter];
  if (filter.ending !== true) {
    const notEnding = filter.ending === null ? [] : [sql<SqlBool>`not ${isEnding(now)}`];
    return failing.flatMap((one) => waysOfStatus(projectId, one, now, notEnding));
  }
  const plans = await plansWithEnd(handle, projectId);
  const ofPlans: readonly Narrow[] =
    plans.length > MOST_PLANS ? [{}] : plans.map(({ id }): Narrow => ({ planId: id }));
  const ending = narrowed(failing, [
    { status: 'cancelled' },
    ...ofPlans.flatMap((of): Narrow[] => [
      { ...of, status: 'active' },
      { ...of, status: 'unpaid' },
    ]),
  ]);
  return ending.flatMap((one) => waysOfStatus(projectId, one, now, [isEnding(now)]));
}

type Narrow = Partial<SubscriptionFilter>;

/** Each filter with each addition, without those that nothing fits. */
function narrowed(filters: readonly SubscriptionFilter[], by: readonly Narrow[]): SubscriptionFilter[] {
  return filters.flatMap((filter) =>
    by
      .filter((more) =>
        (Object.keys(more) as (keyof Narrow)[]).every(
          (name) => filter[name] === null || filter[name] === more[name],
        ),
      )
      .map((more) => ({ ...filter, ...more })),
  );
}

function plansWithEnd(handle: Handle, projectId: ProjectId) {
  return handle
    .selectFrom('plans')
    .select('id')
    .where('project_id', '=', projectId)
    .where('ends_at', 'is not', null)
    .limit(MOST_PLANS + 1)
    .execute();
}

/** The condition that a subscription ends by its cancellation or with its plan. */
function isEnding(now: number): Condition {
  return sql<SqlBool>`(
    (status = 'cancelled' and cancellation_expires_at > ${now})
    or (status in ('active', 'unpaid') and (select ends_at from plans where plans.id = plan_id) is not null)
  )`;
}

/** One way, or two for `ended`, which is stored as two statuses. */
function waysOfStatus(
  projectId: ProjectId,
  filter: SubscriptionFilter,
  now: number,
  more: readonly Condition[],
): readonly Way[] {
  const { status } = filter;
  // An expired cancellation reads as ended before a worker records it.
  const expired = sql<SqlBool>`cancellation_expires_at <= ${now}`;
  const running = sql<SqlBool>`cancellation_expires_at > ${now}`;
  if (status === 'cancelled') return [wayTo(projectId, filter, [running, ...more])];
  if (status !== 'ended') return [wayTo(projectId, filter, more)];
  return [
    wayTo(projectId, filter, more),
    wayTo(projectId, { ...filter, status: 'cancelled' }, [expired, ...more]),
  ];
}

function wayTo(projectId: ProjectId, filter: SubscriptionFilter, more: readonly Condition[]): Way {
  const conditions = conditionsOf(projectId, filter);
  const names = INDEXES.find((index) => index.every((name) => conditions[name] !== undefined)) ?? [];
  const all = Object.entries(conditions) as [Name, Condition][];
  return {
    indexed: all.filter(([name]) => names.includes(name)).map(([, condition]) => condition),
    checked: [...all.filter(([name]) => !names.includes(name)).map(([, condition]) => condition), ...more],
  };
}

type Name = keyof ReturnType<typeof conditionsOf>;

/** What the indexes begin with, the most selective first. */
const INDEXES: readonly (readonly Name[])[] = [
  ['id'],
  ['project', 'externalId'],
  ['project', 'email'],
  ['project', 'address'],
  ['project', 'wallet'],
  ['project', 'blocked'],
  ['plan', 'late'],
  ['plan', 'status'],
  ['plan'],
  ['project', 'late'],
  ['project', 'status'],
  ['project'],
];

function conditionsOf(
  projectId: ProjectId,
  { id, address, wallet, externalId, email, planId, status, late, blocked, failing }: SubscriptionFilter,
) {
  return {
    project: sql<SqlBool>`project_id = ${projectId}`,
    ...(id !== null && { id: sql<SqlBool>`id = ${id}` }),
    ...(address !== null && { address: sql<SqlBool>`address = ${address}` }),
    ...(wallet !== null && { wallet: sql<SqlBool>`wallet = ${wallet}` }),
    ...(externalId !== null && { externalId: sql<SqlBool>`external_id = ${externalId}` }),
    ...(email !== null && { email: sql<SqlBool>`email = ${email}` }),
    ...(planId !== null && { plan: sql<SqlBool>`plan_id = ${planId}` }),
    ...(status !== null && { status: sql<SqlBool>`status = ${status}` }),
    ...(late === true && {
      late: sql<SqlBool>`status = 'unpaid'`,
      notParked: sql<SqlBool>`paused_at is null`,
    }),
    ...(late === false && { notLate: sql<SqlBool>`(status <> 'unpaid' or paused_at is not null)` }),
    ...(blocked === true && { blocked: sql<SqlBool>`blocked_since is not null` }),
    ...(blocked === false && { notBlocked: sql<SqlBool>`blocked_since is null` }),
    ...(failing === false && {
      notFailing: sql<SqlBool>`(status <> 'unpaid' or paused_at is not null) and blocked_since is null`,
    }),
  };
}

/** Reads subscriptions with their plans, in the order of these ids. */
async function readFound(
  handle: Handle,
  ids: readonly string[],
): Promise<Pick<FoundSubscriptions, 'found' | 'unreadable'>> {
  if (ids.length === 0) return { found: [], unreadable: [] };
  const rows = await handle
    .selectFrom('subscriptions')
    .select(subscriptionTable.selection())
    .where('id', 'in', ids as readonly SubscriptionId[])
    .execute();
  const { readable, unreadable } = await readWithPlans(handle, inOrderOf(ids, rows), readSubscription);
  return { found: readable, unreadable };
}
