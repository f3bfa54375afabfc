import { SchemaDriftError } from './migrate.js';

/** A table or an index as a database describes it. */
export interface SchemaObject {
  readonly name: string;
  /** What it is, in the database's own words; alike for two that are the same, whichever release made them. */
  readonly definition: string;
  /** The statement that makes it anew without a loss, as for an index; null where data would be lost. */
  readonly restore: string | null;
}

/** How many differences a message names. */
const MOST_NAMED = 5;

/**
 * Compares the tables and indexes of a database with those that the migrations make. A unique index that is missing is a guard
 * against a second charge that is missing. What the database has besides them is its owner's business.
 *
 * @throws SchemaDriftError when a table or an index is missing or another one; the message says how to mend it
 */
export function refuseSchemaDrift(actual: readonly SchemaObject[], expected: readonly SchemaObject[]): void {
  const found = new Map(actual.map((one) => [one.name, one]));
  const differing = expected.filter(({ name, definition }) => found.get(name)?.definition !== definition);
  if (differing.length === 0) return;
  const named = differing
    .slice(0, MOST_NAMED)
    .map(({ name }) => (found.has(name) ? `${name} was changed` : `${name} is missing`));
  const more = differing.length > MOST_NAMED ? `, and ${differing.length - MOST_NAMED} more differ` : '';
  throw new SchemaDriftError(
    `The schema of the database is not the one that its migrations made: ${named.join(', ')}${more}. Nothing was changed. ${remedyFor(differing, found)}`,
  );
}

function remedyFor(differing: readonly SchemaObject[], found: ReadonlyMap<string, SchemaObject>): string {
  const statements = differing.map(({ name, restore }) =>
    restore === null ? null : `${found.has(name) ? `drop index ${name}; ` : ''}${restore};`,
  );
  return statements.includes(null)
    ? 'Restore the newest backup.'
    : `Stop every host and make what differs again: ${statements.join(' ')}`;
}
