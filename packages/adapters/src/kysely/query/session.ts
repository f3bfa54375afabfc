import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables/database.js';

/** What differs between engines, as far as the store must know. */
export interface DialectTraits {
  /**
   * Whether rows that are read to be claimed must be locked with `for update skip locked`.
   * False where only one transaction writes at a time.
   */
  readonly locksRows: boolean;
  /** Whether an error says that a primary key or a unique index refused a row. */
  isUniqueViolation(error: unknown): boolean;
}

export type Handle = Kysely<Database>;

/** Where operations run: the database itself or a transaction that was begun. */
export interface Session {
  readonly traits: DialectTraits;
  /** For one statement, which is atomic by itself. */
  readonly handle: Handle;
  /** Runs several statements as one step, of which nothing stays when `work` throws. */
  readonly atomically: <T>(work: (handle: Handle) => Promise<T>) => Promise<T>;
}

export function databaseSession(db: Handle, traits: DialectTraits): Session {
  return { traits, handle: db, atomically: (work) => db.transaction().execute(work) };
}

/** A transaction goes on after a step of it was taken back: hence savepoints. Its operations come one at a time. */
export function transactionSession(transaction: Handle, traits: DialectTraits): Session {
  return {
    traits,
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

/** Runs a step and answers `lost` in place of what a unique index refused. Nothing of the step stays then. */
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

/** Thrown inside a step to take it back: a row is not what the caller read. */
export class WriteConflict extends Error {
  override readonly name = 'LostRace';
}
