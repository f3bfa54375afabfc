import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isAfter, type Place } from './keyset.js';
import type { Handle } from './session.js';

/** The rows of a further statement, when the first does not fill the page. */
const STEP = 1000;

/** The statements of a walk: it looks at 9,000 rows and a page at most. */
const STEPS = 10;

export type Condition = RawBuilder<SqlBool>;

/**
 * A walk through an index that has the order of the list, and what is left to check of each row. The engine
 * does not choose: it may take the index of a status, which many have, for that of a wallet.
 */
export interface Way {
  readonly indexed: readonly Condition[];
  readonly checked: readonly Condition[];
}

/** A table whose lists are sorted newest first, and the column of their order. */
export type Walked =
  | { readonly table: 'subscriptions'; readonly at: 'created_at' }
  | { readonly table: 'attempts'; readonly at: 'attempted_at' };

interface Looked extends Place<number> {
  readonly fits: number;
  readonly way: number;
}

/** The ids that a walk found, newest first, and the id after which it goes on; null at its end. */
export interface Walk {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** Finds the rows of all ways that fit, newest first, at most `limit`, in a bounded number of steps. */
export async function walk(
  handle: Handle,
  walked: Walked,
  ways: readonly Way[],
  startingAfter: Place<number> | null,
  limit: number,
): Promise<Walk> {
  let after = startingAfter;
  const found: Looked[] = [];
  let more = ways.length > 0;
  for (let step = 0; step < STEPS && more && found.length <= limit; step++) {
    // Usually the first ones fit. One row more shows whether any follows.
    const seen = await lookAlong(handle, walked, ways, after, step === 0 ? limit + 1 : STEP);
    found.push(...seen.looked.filter(({ fits }) => fits === 1));
    more = seen.more;
    after = seen.looked.at(-1) ?? after;
  }
  const ids = found.slice(0, limit).map(({ id }) => id);
  return { ids, next: found.length > limit ? (ids.at(-1) ?? null) : more ? (after?.id ?? null) : null };
}

/**
 * Looks at the next rows of all ways, newest first, and says whether more follow. One statement, because two
 * would both miss a row that a worker moves between the ways.
 */
async function lookAlong(
  handle: Handle,
  walked: Walked,
  ways: readonly Way[],
  after: Place<number> | null,
  size: number,
) {
  const [first, ...others] = ways.map((way, number) =>
    lookAlongOne(handle, walked, way, number, after, size),
  );
  if (first === undefined) throw new Error('A walk has at least one way.');
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
  { table, at }: Walked,
  { indexed, checked }: Way,
  number: number,
  after: Place<number> | null,
  size: number,
) {
  let rows = handle
    .selectFrom(table as 'subscriptions')
    .select([sql.ref<string>('id').as('id'), sql.ref<number>(at).as('at')])
    .select(fits(checked).as('fits'))
    .where(sql.join<SqlBool>([...indexed], sql` and `));
  if (after !== null) rows = rows.where(isAfter({ at, id: 'id' }, after));
  const next = rows.orderBy(sql.ref(at), 'desc').orderBy('id', 'desc').limit(size);
  // Nested, because SQLite orders and limits parts of a union nowhere else.
  return handle.selectFrom(next.as('next')).selectAll().select(sql.lit(number).as('way'));
}

function isBehind(row: Place<number>, other: Place<number>): boolean {
  return row.at < other.at || (row.at === other.at && row.id < other.id);
}

/** A `case`, so that the conditions choose no other index. */
function fits(conditions: readonly Condition[]): RawBuilder<number> {
  if (conditions.length === 0) return sql<number>`1`;
  return sql<number>`case when ${sql.join([...conditions], sql` and `)} then 1 else 0 end`;
}
