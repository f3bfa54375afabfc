import type { Kysely } from 'kysely';
import type { DialectTraits } from '../query/session.js';
import type { Database } from '../tables/database.js';

/** A database at one end of a move, open without a store. Only `moveRecords` and `cancelMove` write to it. */
interface MoveEnd {
  readonly db: Kysely<Database>;
  /** Facts of the engine that the migrations go by. */
  readonly traits: DialectTraits;
  /** Closes the database. */
  readonly close: () => Promise<void>;
}

/** A SQLite file from which records are moved. */
export interface MoveSource extends MoveEnd {
  /** Whether another connection has the file open, such as one of a host that somebody forgot to stop. */
  readonly isInUse: boolean;
}

/** A PostgreSQL database to which records are moved. */
export interface MoveTarget extends MoveEnd {
  /** Why the database cannot hold every record of the source, and what to do; null when it can. */
  readonly unfitFor: (source: Kysely<Database>) => Promise<string | null>;
  /**
   * Keeps every other move to this database out, of whatever process. Returns what ends that, or null when another move goes on.
   */
  readonly lockMove: () => Promise<(() => Promise<void>) | null>;
}
