import { sql, type IsolationLevel, type Kysely } from 'kysely';
import type { SqlDialect } from '../migrations/for-engine.js';
import type { OnlineMigration } from '../migrations/online.js';
import type { Database } from '../tables/database.js';
import { againAfterConflicts } from './again-after-conflicts.js';

/** How a database engine differs from others, as far as the store is concerned. */
export interface DialectTraits {
  /** The language of its triggers. */
  readonly dialect: SqlDialect;
  /**
   * Whether a claim locks its rows with `for update skip locked`. False for an engine with one writer at a
   * time.
   */
  readonly locksRows: boolean;
  /**
   * The isolation of a transaction that joins several operations: as if such transactions ran one after the
   * other. Null for an engine that runs one at a time.
   */
  readonly isolation: IsolationLevel | null;
  /**
   * The collation of every text column, which orders by character codes. Null for an engine that does so by
   * default.
   */
  readonly textCollation: string | null;
  /** How a database is migrated while hosts use it. Null when hosts wait for the migration. */
  readonly online: OnlineMigration | null;
  readonly isUniqueViolation: (error: unknown) => boolean;
  /** Whether an error means that a row is referred to, or refers to none. */
  readonly isForeignKeyViolation: (error: unknown) => boolean;
  /**
   * Whether an error means that the database undid a transaction because of others, such as a deadlock or a
   * serialization failure. The store runs it again.
   */
  readonly isConflict: (error: unknown) => boolean;
}

export type Handle = Kysely<Database>;

export interface Session {
  readonly traits: DialectTraits;
  /** True while other callers do not see what is written here. */
  readonly isTransaction: boolean;
  /** Runs single statements, each of which is atomic. */
  readonly handle: Handle;
  /** Runs several statements as one step, which is undone when `work` throws. */
  readonly atomically: <T>(work: (handle: Handle) => Promise<T>) => Promise<T>;
}

/** Each step is a transaction, which runs again after a conflict. */
export function databaseSession(db: Handle, traits: DialectTraits): Session {
  return {
    traits,
    isTransaction: false,
    handle: db,
    atomically: (work) => againAfterConflicts(traits.isConflict, () => db.transaction().execute(work)),
  };
}

export function joinedTransaction(db: Handle, { isolation }: DialectTraits) {
  const transaction = db.transaction();
  return isolation === null ? transaction : transaction.setIsolationLevel(isolation);
}

/**
 * Each step is a savepoint, because the transaction goes on after a step that was undone. Steps run one at a
 * time.
 */
export function transactionSession(transaction: Handle, traits: DialectTraits): Session {
  return {
    traits,
    isTransaction: true,
    handle: transaction,
    async atomically(work) {
      await sql`savepoint step`.execute(transaction);
      try {
        const result = await work(transaction);
        await sql`release savepoint step`.execute(transaction);
        return result;
      } catch (error) {
        await sql`rollback to savepoint step`.execute(transaction);
        await sql`release savepoint step`.execute(transaction);
        throw error;
      }
    },
  };
}

/** Runs a step. Returns `lost`, with the step undone, after a write conflict or a unique violation. */
export async function lostOnConflict<T>(
  session: Session,
  work: (handle: Handle) => Promise<T>,
): Promise<T | 'lost'> {
  try {
    return await session.atomically(work);
  } catch (error) {
    if (error instanceof WriteConflict || session.traits.isUniqueViolation(error)) return 'lost';
    throw error;
  }
}

/** Thrown inside a step to undo it: the row changed since it was read. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}
