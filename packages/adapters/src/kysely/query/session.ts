import { sql, type IsolationLevel, type Kysely } from 'kysely';
import type { SqlDialect } from '../migrations/for-engine.js';
import type { OnlineMigration } from '../migrations/online.js';
import type { Database } from '../tables/database.js';
import { againAfterConflicts } from './again-after-conflicts.js';

/** How a database engine differs from others, as far as the store must know. */
export interface DialectTraits {
  /** The engine whose language its triggers are written in. */
  readonly dialect: SqlDialect;
  /**
   * Whether a claim must lock the rows it reads with `for update skip locked`. False for an engine that runs one
   * writing transaction at a time.
   */
  readonly locksRows: boolean;
  /**
   * The isolation of a transaction that joins several operations, which must be as if such transactions ran one after the other.
   * Null for an engine that does run one at a time.
   */
  readonly isolation: IsolationLevel | null;
  /**
   * The collation that orders text by the codes of its characters, which every column of text gets. Null for an engine whose text
   * has that order already.
   */
  readonly textCollation: string | null;
  /** How a database is migrated while hosts use it. Null for an engine on which they wait until a migration has ended. */
  readonly online: OnlineMigration | null;
  /** Whether an error means that a primary key or a unique index refused a row. */
  readonly isUniqueViolation: (error: unknown) => boolean;
  /** Whether an error means that a row is referred to, or refers to none: in a deletion, that another caller refers to it since. */
  readonly isForeignKeyViolation: (error: unknown) => boolean;
  /**
   * Whether an error means that the database undid a transaction because of others that ran meanwhile, and that it may succeed
   * when it runs again: a deadlock, or a serialization failure.
   */
  readonly isConflict: (error: unknown) => boolean;
}

/** The database, or a transaction on it, with the tables of the store. */
export type Handle = Kysely<Database>;

/** Where operations run: on the database, or within a transaction. */
export interface Session {
  readonly traits: DialectTraits;
  /** Whether other callers do not see yet what is written here. */
  readonly isTransaction: boolean;
  /** Runs single statements, each of which is atomic. */
  readonly handle: Handle;
  /** Runs several statements as one step. When `work` throws, all of them are undone. */
  readonly atomically: <T>(work: (handle: Handle) => Promise<T>) => Promise<T>;
}

/** Runs each step in a separate transaction, and again when the database undid it because of others. */
export function databaseSession(db: Handle, traits: DialectTraits): Session {
  return {
    traits,
    isTransaction: false,
    handle: db,
    atomically: (work) => againAfterConflicts(traits.isConflict, () => db.transaction().execute(work)),
  };
}

/** Begins a transaction that joins several operations. */
export function joinedTransaction(db: Handle, { isolation }: DialectTraits) {
  const transaction = db.transaction();
  return isolation === null ? transaction : transaction.setIsolationLevel(isolation);
}

/**
 * Runs each step within `transaction` under a savepoint, because the transaction continues after a step that was
 * undone. The caller runs one step at a time.
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

/** Runs a step. Undoes it and returns `lost` when it met a write conflict or a unique index refused a row. */
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

/** Thrown inside a step to undo it: the row changed after the caller read it. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}
