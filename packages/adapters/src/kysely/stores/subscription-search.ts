import type {
  FoundSubscriptions,
  PageRequest,
  ProjectId,
  ReportStore,
  SubscriptionFilter,
  SubscriptionId,
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
  const { ids, next } = await walk(
    handle,
    WALKED,
    waysTo(projectId, filter, now.getTime()),
    after,
    page.limit,
  );
  return { ...(await readFound(handle, ids)), next: next as SubscriptionId | null };
};

/** Who the customer of a subscription is, and which one it is. */
export type CustomerFilter = Pick<SubscriptionFilter, 'id' | 'address' | 'wallet' | 'externalId' | 'email'>;

const OF_ANY_STATE = { planId: null, status: null, late: null, blocked: null };

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
  // The names of columns are those of the innermost table.
  return sql<SqlBool>`exists (
    select 1 from subscriptions where subscriptions.id = ${sql.ref(id)} and ${sql.join(conditions, sql` and `)}
  )`;
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

/** One way, or two for `ended`, which is stored as two statuses. */
function waysTo(projectId: ProjectId, filter: SubscriptionFilter, now: number): readonly Way[] {
  const { status } = filter;
  // An expired cancellation reads as ended before a worker records it.
  const expired = sql<SqlBool>`cancellation_expires_at <= ${now}`;
  const running = sql<SqlBool>`cancellation_expires_at > ${now}`;
  if (status === 'cancelled') return [wayTo(projectId, filter, [running])];
  if (status !== 'ended') return [wayTo(projectId, filter, [])];
  return [wayTo(projectId, filter, []), wayTo(projectId, { ...filter, status: 'cancelled' }, [expired])];
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
  { id, address, wallet, externalId, email, planId, status, late, blocked }: SubscriptionFilter,
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
