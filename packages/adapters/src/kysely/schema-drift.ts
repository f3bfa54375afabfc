import { SchemaDriftError } from './migrate.js';

/** A part of a schema, as a database describes it or the migrations make it. */
export interface SchemaObject {
  readonly name: string;
  /** The definition in the words of the database, equal for equal objects. */
  readonly definition: string;
  /** The statements that make it anew; null where data would be lost. */
  readonly restore: readonly string[] | null;
}

const MOST_NAMED = 5;

/**
 * Compares the objects of a database with those of the migrations, by name: a missing unique index would
 * permit a second charge. Other objects in the database are ignored.
 *
 * @throws SchemaDriftError with the repair, when an object is missing or differs
 */
export function refuseSchemaDrift(
  actual: readonly Omit<SchemaObject, 'restore'>[],
  expected: readonly SchemaObject[],
): void {
  const actualOf = new Map(actual.map((object) => [object.name, object]));
  const differing = expected.filter(({ name, definition }) => actualOf.get(name)?.definition !== definition);
  if (differing.length === 0) return;
  const first = differing
    .slice(0, MOST_NAMED)
    .map(({ name }) => (actualOf.has(name) ? `${name} was changed` : `${name} is missing`));
  const more = differing.length > MOST_NAMED ? `, and ${differing.length - MOST_NAMED} more differ` : '';
  throw new SchemaDriftError(
    `The schema of the database is not the one that its migrations made: ${first.join(', ')}${more}. Nothing was changed. ${remedyFor(differing)}`,
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
