import type {
  FoundSubscriptions,
  PageRequest,
  ProjectId,
  ReportStore,
  SubscriptionFilter,
  SubscriptionId,
} from '@subrail/core/ports';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isAfter } from '../query/keyset.js';
import { inOrderOf, readWithPlans } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { subscriptionTable } from '../tables/subscriptions.js';

/** The subscriptions of a further statement, when the first does not fill the page. */
const STEP = 1000;

/** The statements of a search: it looks at 9,000 subscriptions and a page at most. */
const STEPS = 10;

const readSubscription = subscriptionTable.decoder();

type Condition = RawBuilder<SqlBool>;

/**
 * A walk through an index that has the order of the list, and what is left to check of each row. The engine
 * does not choose: it may take the index of a status, which many have, for that of a wallet.
 */
interface Way {
  readonly indexed: readonly Condition[];
  readonly checked: readonly Condition[];
}

interface Looked {
  readonly id: SubscriptionId;
  readonly created_at: number;
  readonly fits: number;
  readonly way: number;
}

/** Searches the subscriptions of a project: finds ids by an index, in steps, then reads the rows. */
export const subscriptionSearch = async (
  handle: Handle,
  ...[projectId, filter, now, page]: Parameters<ReportStore['searchSubscriptions']>
): Promise<FoundSubscriptions | 'unknown_cursor'> => {
  let after = await placeOf(handle, projectId, page);
  if (after === 'unknown_cursor') return after;
  const ways = waysTo(projectId, filter, now.getTime());
  const found: Looked[] = [];
  let more = true;
  for (let step = 0; step < STEPS && more && found.length <= page.limit; step++) {
    // Usually the first ones fit. One row more shows whether any follows.
    const seen = await lookAlong(handle, ways, after, step === 0 ? page.limit + 1 : STEP);
    found.push(...seen.looked.filter(({ fits }) => fits === 1));
    more = seen.more;
    after = seen.looked.at(-1) ?? after;
  }
  const ids = found.slice(0, page.limit).map(({ id }) => id);
  const next = found.length > page.limit ? (ids.at(-1) ?? null) : more ? (after?.id ?? null) : null;
  return { ...(await readFound(handle, ids)), next };
};

type Place = Pick<Looked, 'id' | 'created_at'>;

async function placeOf(
  handle: Handle,
  projectId: ProjectId,
  { startingAfter }: PageRequest<SubscriptionId>,
): Promise<Place | null | 'unknown_cursor'> {
  if (startingAfter === null) return null;
  const row = await handle
    .selectFrom('subscriptions')
    .select(['id', 'created_at'])
    .where('id', '=', startingAfter)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? 'unknown_cursor';
}

/**
 * Looks at the next subscriptions of all ways, newest first, and says whether more follow. One statement,
 * because two would both miss a subscription that a worker moves between the ways.
 */
async function lookAlong(handle: Handle, ways: readonly Way[], after: Place | null, size: number) {
  const [first, ...others] = ways.map((way, number) => lookAlongOne(handle, way, number, after, size));
  if (first === undefined) throw new Error('A search has at least one way.');
  const all = others.reduce((rows, further) => rows.unionAll(further), first);
  const found = (await all.execute()).toSorted((one, other) => (isBehind(one, other) ? 1 : -1));
  // The other ways end where a way with more rows ends.
  const ends = ways.flatMap((_, number) => {
    const ofWay = found.filter(({ way }) => way === number);
    return ofWay.length === size ? ofWay.slice(-1) : [];
  });
  const looked = found.filter((row) => ends.every((end) => !isBehind(row, end)));
  return { looked, more: ends.length > 0 };
}

function lookAlongOne(
  handle: Handle,
  { indexed, checked }: Way,
  number: number,
  after: Place | null,
  size: number,
) {
  let rows = handle
    .selectFrom('subscriptions')
    .select(['id', 'created_at'])
    .select(fits(checked).as('fits'))
    .where(sql.join<SqlBool>([...indexed], sql` and `));
  if (after !== null)
    rows = rows.where(isAfter({ at: 'created_at', id: 'id' }, { at: after.created_at, id: after.id }));
  const next = rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(size);
  // Nested, because SQLite orders and limits parts of a union nowhere else.
  return handle.selectFrom(next.as('next')).selectAll().select(sql.lit(number).as('way'));
}

function isBehind(row: Place, other: Place): boolean {
  return row.created_at < other.created_at || (row.created_at === other.created_at && row.id < other.id);
}

/** A `case`, so that the conditions choose no other index. */
function fits(conditions: readonly Condition[]): RawBuilder<number> {
  if (conditions.length === 0) return sql<number>`1`;
  return sql<number>`case when ${sql.join([...conditions], sql` and `)} then 1 else 0 end`;
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
  ids: readonly SubscriptionId[],
): Promise<Pick<FoundSubscriptions, 'found' | 'unreadable'>> {
  if (ids.length === 0) return { found: [], unreadable: [] };
  const rows = await handle
    .selectFrom('subscriptions')
    .select(subscriptionTable.selection())
    .where('id', 'in', ids)
    .execute();
  const { readable, unreadable } = await readWithPlans(handle, inOrderOf(ids, rows), readSubscription);
  return { found: readable, unreadable };
}
