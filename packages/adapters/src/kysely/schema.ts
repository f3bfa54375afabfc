import { SchemaDriftError } from './migrate.js';

/** A part of a schema as a database describes it. */
export interface SchemaObject {
  readonly name: string;
  /** What it is, in the database's own words; alike for two that are the same, whichever release made them. */
  readonly definition: string;
  /** The statements that make it anew, whatever is there of it; null where data would be lost. */
  readonly restore: readonly string[] | null;
}

/** How many differences a message names. */
const MOST_NAMED = 5;

/**
 * Compares the tables, indexes and triggers of a database with those that the migrations make. A unique index that is missing is a guard
 * against a second charge that is missing. What the database has besides them is its owner's business.
 *
 * @throws SchemaDriftError when one of them is missing or another one; the message says how to mend it
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
    `The schema of the database is not the one that its migrations made: ${named.join(', ')}${more}. Nothing was changed. ${remedyFor(differing)}`,
  );
}

function remedyFor(differing: readonly SchemaObject[]): string {
  const statements = new Set<string>();
  for (const { restore } of differing) {
    if (restore === null) return 'Restore the newest backup.';
    for (const statement of restore) statements.add(statement);
  }
  return `Stop every host and make what differs again: begin; ${[...statements].join('; ')}; commit;`;
}
