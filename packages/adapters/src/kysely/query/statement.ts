import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Stored } from '../codec/codec.js';
import type { Database } from '../tables/database.js';

/** Marks the place of a value that is bound when the query runs. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** A query that is compiled when it first runs; each run only binds its values. */
export interface Statement<Values, Row> {
  all(handle: Kysely<Database>, values: Values): Promise<readonly Row[]>;
  first(handle: Kysely<Database>, values: Values): Promise<Row | null>;
  /** Runs a write and returns the number of rows it wrote. */
  write(handle: Kysely<Database>, values: Values): Promise<number>;
}

/**
 * Prepares a query in which each property of `Values` that `build` reads becomes a placeholder. It is compiled when it first runs: a
 * process that opens a store seldom uses more than a few of its statements.
 *
 * @example prepare((values: { slug: string }) => db.selectFrom('plans').selectAll().where('slug', '=', values.slug))
 */
export function prepare<Values extends { readonly [Name in keyof Values]: Stored }, Row>(
  build: (values: Values) => Compilable<Row>,
): Statement<Values, Row> {
  let compiled: Compiled<Values> | null = null;
  const run = (handle: Kysely<Database>, values: Values) => {
    const { query, slots } = (compiled ??= compile(build));
    return handle.executeQuery<Row>({ ...query, parameters: slots.map((slot) => slot(values)) });
  };
  return {
    all: async (handle, values) => (await run(handle, values)).rows,
    first: async (handle, values) => (await run(handle, values)).rows[0] ?? null,
    write: async (handle, values) => Number((await run(handle, values)).numAffectedRows ?? 0n),
  };
}

interface Compiled<Values> {
  readonly query: CompiledQuery;
  /** Each gives one parameter of a run, of the run's values. */
  readonly slots: readonly ((values: Values) => unknown)[];
}

function compile<Values>(build: (values: Values) => Compilable): Compiled<Values> {
  // `build` only passes the values into the query, so placeholders can replace them.
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
  const query = build(placeholders).compile();
  const slots = query.parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return () => parameter;
    const name = parameter.name as keyof Values;
    return (values: Values) => values[name];
  });
  return { query, slots };
}

/** The placeholders of several columns, for an insert or an update of a whole row. */
export function pick<Row, Column extends keyof Row>(
  values: Row,
  columns: readonly Column[],
): { [Name in Column]: Row[Name] } {
  return Object.fromEntries(columns.map((column) => [column, values[column]])) as {
    [Name in Column]: Row[Name];
  };
}

/**
 * The columns of an update: all but the fixed ones. Setting an unchanged column is not free, because the engine then
 * checks the foreign keys that name it and rewrites its indexes.
 */
export function columnsExcept<Column extends string, Fixed extends Column>(
  columns: readonly Column[],
  fixed: readonly Fixed[],
): Exclude<Column, Fixed>[] {
  const isFixed = (column: Column): column is Fixed => (fixed as readonly Column[]).includes(column);
  return columns.filter((column): column is Exclude<Column, Fixed> => !isFixed(column));
}
