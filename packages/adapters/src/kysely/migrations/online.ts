import type { Kysely } from 'kysely';
import { createdIndex, droppedIndex, type SchemaIndex } from './indexes.js';

/** How an engine migrates a database that hosts use, so that none of them waits for long. */
export interface OnlineMigration {
  /** Limits how long a transaction waits for locks, and how long it holds them when its process froze. */
  readonly limitWaits: <Tables>(transaction: Kysely<Tables>) => Promise<void>;
  /** Whether a migration gave way to others, and may succeed when it runs again. */
  readonly gaveWay: (error: unknown) => boolean;
  readonly missingIndexes: <Tables>(
    db: Kysely<Tables>,
    indexes: readonly SchemaIndex[],
  ) => Promise<readonly string[]>;
  /**
   * Builds missing indexes while others write. Several callers may build at once. An index that cannot be
   * built is skipped.
   *
   * @param report hears of each index before it is built, and of other callers that are waited for
   */
  readonly buildIndexes: <Tables>(
    db: Kysely<Tables>,
    indexes: readonly SchemaIndex[],
    report: (sentence: string) => void,
  ) => Promise<void>;
}

/**
 * The statements of a run that index an existing table, whose writers would wait until the run ends. They are
 * left out of the run, and built after it.
 *
 * @param applied the statements that ran before
 * @param missing the statements of the run
 */
export function indexesForLater(applied: readonly string[], missing: readonly string[]): ReadonlySet<string> {
  // A new database has no writers.
  if (applied.length === 0) return new Set();
  const made = new Set(missing.map((statement) => MAKES_TABLE.exec(statement)?.[1]));
  const dropped = new Set(missing.map(droppedIndex));
  return new Set(
    missing.filter((statement) => {
      const index = createdIndex(statement);
      // What the run itself makes or drops, it needs in its order.
      return index !== null && !made.has(index.table) && !dropped.has(index.name);
    }),
  );
}

const MAKES_TABLE = /^create table (\w+)/;
