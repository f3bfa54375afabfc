import type { Kysely } from 'kysely';
import type { DialectTraits } from '../query/session.js';
import type { Database } from '../tables/database.js';

/** A database at one end of a move, open without a store. `moveRecords` and `cancelMove` write to it. */
interface MoveEnd {
  readonly db: Kysely<Database>;
  readonly traits: DialectTraits;
  readonly close: () => Promise<void>;
}

/** A SQLite file from which records are moved. */
export interface MoveSource extends MoveEnd {
  /** Whether another connection has the file open, such as a forgotten host. */
  readonly isInUse: boolean;
}

/** A PostgreSQL database to which records are moved. */
export interface MoveTarget extends MoveEnd {
  /** Why the database cannot hold every record of the source, and what to do; null when it can. */
  readonly unfitFor: (source: Kysely<Database>) => Promise<string | null>;
  /** Locks this database against other moves. Returns the unlock, or null when another move runs. */
  readonly lockMove: () => Promise<(() => Promise<void>) | null>;
}
