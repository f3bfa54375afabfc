import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Stored } from '../codec/codec.js';
import type { Database } from '../tables/database.js';

/** The place of a value that is bound at each run: a name, or an index in the list. */
class Placeholder {
  constructor(readonly place: string | number) {}
}

/** A query that is compiled once and bound at each run. */
export interface Statement<Values, Read> {
  all(handle: Kysely<Database>, values: Values): Promise<readonly Read[]>;
  first(handle: Kysely<Database>, values: Values): Promise<Read | null>;
  /** Runs a write and returns the number of rows it wrote. */
  write(handle: Kysely<Database>, values: Values): Promise<number>;
}

interface ListStatement<Item, Values, Read> {
  all(handle: Kysely<Database>, items: readonly Item[], values: Values): Promise<readonly Read[]>;
  /** Runs a write and returns the number of rows it wrote. */
  write(handle: Kysely<Database>, items: readonly Item[], values: Values): Promise<number>;
}

/** The longest list whose compiled query is cached: most claims are of few. */
const LONGEST_KEPT = 8;

/**
 * Prepares a query in which each property that `build` reads becomes a placeholder. It is compiled when it
 * first runs: a process seldom uses more than a few of its statements.
 *
 * @param build such as `({ slug }: { slug: string }) => db.selectFrom('plans').where('slug', '=', slug)`
 * @param read makes a record of a row; without it the rows themselves are answered
 */
export function prepare<Values extends { readonly [Name in keyof Values]: Stored }, Row, Read = Row>(
  build: (values: Values) => Compilable<Row>,
  read?: (row: Row) => Read,
): Statement<Values, Read> {
  const statement = prepareList<never, Values, Row, Read>((_, values) => build(values), read);
  return {
    all: (handle, values) => statement.all(handle, [], values),
    first: async (handle, values) => (await statement.all(handle, [], values))[0] ?? null,
    write: (handle, values) => statement.write(handle, [], values),
  };
}

/**
 * Prepares a query over a list. Short lists share a compiled query by their length.
 *
 * @param build such as `(ids: readonly PlanId[]) => db.selectFrom('plans').where('id', 'in', ids)`
 */
export function prepareList<
  Item extends Stored,
  Values extends { readonly [Name in keyof Values]: Stored },
  Row,
  Read = Row,
>(
  build: (items: readonly Item[], values: Values) => Compilable<Row>,
  read = (row: Row) => row as unknown as Read,
): ListStatement<Item, Values, Read> {
  const kept = new Map<number, Compiled<Item, Values>>();
  const run = (handle: Kysely<Database>, items: readonly Item[], values: Values) => {
    let compiled = kept.get(items.length);
    if (compiled === undefined) {
      compiled = compile(build, items.length);
      if (items.length <= LONGEST_KEPT) kept.set(items.length, compiled);
    }
    const parameters = compiled.slots.map((slot) => slot(items, values));
    return handle.executeQuery<Row>({ ...compiled.query, parameters });
  };
  return {
    all: async (handle, items, values) => (await run(handle, items, values)).rows.map(read),
    write: async (handle, items, values) => Number((await run(handle, items, values)).numAffectedRows ?? 0n),
  };
}

interface Compiled<Item, Values> {
  readonly query: CompiledQuery;
  /** The parameters of a run, in their order. */
  readonly slots: readonly ((items: readonly Item[], values: Values) => unknown)[];
}

function compile<Item, Values>(
  build: (items: readonly Item[], values: Values) => Compilable,
  length: number,
): Compiled<Item, Values> {
  const values = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
  const items = Array.from({ length }, (_, at) => new Placeholder(at)) as readonly unknown[];
  const query = build(items as readonly Item[], values).compile();
  const slots = query.parameters.map((parameter): Compiled<Item, Values>['slots'][number] => {
    if (!(parameter instanceof Placeholder)) return () => parameter;
    const { place } = parameter;
    return typeof place === 'number' ? (items) => items[place] : (_, values) => values[place as keyof Values];
  });
  return { query, slots };
}

/** The values of some columns. */
export function pick<Row, Column extends keyof Row>(
  values: Row,
  columns: readonly Column[],
): { [Name in Column]: Row[Name] } {
  return Object.fromEntries(columns.map((column) => [column, values[column]])) as {
    [Name in Column]: Row[Name];
  };
}

/**
 * The columns of an update. Setting an unchanged column costs: the engine checks its foreign keys and
 * rewrites its indexes.
 */
export function columnsExcept<Column extends string, Fixed extends Column>(
  columns: readonly Column[],
  fixed: readonly Fixed[],
): Exclude<Column, Fixed>[] {
  const isFixed = (column: Column): column is Fixed => (fixed as readonly Column[]).includes(column);
  return columns.filter((column): column is Exclude<Column, Fixed> => !isFixed(column));
}
