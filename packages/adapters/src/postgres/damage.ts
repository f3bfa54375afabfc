import type { RootOperationNode } from 'kysely';
import { sqlState } from '../kysely/engines/error-codes.js';

/** Thrown when the server found that a table or an index is damaged. The message says what a person can do. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError';
}

/** The states with which a server says that a table (XX001) or an index (XX002) does not have what it wrote into it. */
const DAMAGED = ['XX001', 'XX002'];

const WRITES: readonly RootOperationNode['kind'][] = [
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
];

/** Knows whether the server reported damage to one of its callers, and then refuses the writes of all of them. */
export class Damage {
  #found: DamagedDatabaseError | null = null;

  /** Turns an error that means damage into one that says what to do, and notes it. Returns another error unchanged. */
  note(error: unknown): unknown {
    if (!DAMAGED.includes(sqlState(error) ?? '')) return error;
    this.#found ??= new DamagedDatabaseError(
      'The Postgres database is damaged: the cause says where. This host writes nothing to it any more, so nothing is charged. Stop every host, and restore the newest backup, or repair the database, such as a damaged index with reindex.',
      { cause: error },
    );
    return this.#found;
  }

  /** @throws DamagedDatabaseError when the statement writes and damage was found */
  refuseWrite({ kind }: RootOperationNode): void {
    if (WRITES.includes(kind)) this.refuseTransaction();
  }

  /** @throws DamagedDatabaseError when damage was found, because a transaction is begun in order to write */
  refuseTransaction(): void {
    if (this.#found !== null) throw this.#found;
  }
}
