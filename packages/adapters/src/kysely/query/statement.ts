import type { Compilable, Kysely } from 'kysely';
import type { Stored } from '../codec/codec.js';
import type { Database } from '../tables/database.js';

/** Stands in a query for a value that is given when it runs. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** A query compiled once: running it only binds its values. */
export interface Statement<Values, Row> {
  all(handle: Kysely<Database>, values: Values): Promise<readonly Row[]>;
  first(handle: Kysely<Database>, values: Values): Promise<Row | null>;
  /** How many rows it wrote. */
  write(handle: Kysely<Database>, values: Values): Promise<number>;
}

/**
 * Compiles a query built with placeholders, one for each property of `Values` it reads.
 *
 * @example prepare((given: { slug: string }) => db.selectFrom('plans').selectAll().where('slug', '=', given.slug))
 */
export function prepare<Values extends { readonly [Name in keyof Values]: Stored }, Row>(
  build: (given: Values) => Compilable<Row>,
): Statement<Values, Row> {
  // The builder only ever passes them on into the query, where a placeholder is as good as the value.
  const given = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
  const { sql, parameters, query, queryId } = build(given).compile();
  const slots = parameters.map((parameter) =>
    parameter instanceof Placeholder ? { name: parameter.name as keyof Values } : { constant: parameter },
  );
  const run = (handle: Kysely<Database>, values: Values) =>
    handle.executeQuery<Row>({
      sql,
      query,
      queryId,
      parameters: slots.map((slot) => (slot.name === undefined ? slot.constant : values[slot.name])),
    });
  return {
    all: async (handle, values) => (await run(handle, values)).rows,
    first: async (handle, values) => (await run(handle, values)).rows[0] ?? null,
    write: async (handle, values) => Number((await run(handle, values)).numAffectedRows ?? 0n),
  };
}

/** The placeholders of several columns at once, for an insert or an update of a whole row. */
export function pick<Row, Column extends keyof Row>(
  given: Row,
  columns: readonly Column[],
): { [Name in Column]: Row[Name] } {
  return Object.fromEntries(columns.map((column) => [column, given[column]])) as {
    [Name in Column]: Row[Name];
  };
}

/**
 * The columns of an update: all but those that never change. Naming an unchanged column is not free: engines look for the
 * rows that refer to it and write its indexes anew.
 */
export function changing<Column extends string, Fixed extends Column>(
  columns: readonly Column[],
  fixed: readonly Fixed[],
): Exclude<Column, Fixed>[] {
  const isFixed = (column: Column): column is Fixed => (fixed as readonly Column[]).includes(column);
  return columns.filter((column): column is Exclude<Column, Fixed> => !isFixed(column));
}
