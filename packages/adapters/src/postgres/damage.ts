import type { RootOperationNode } from 'kysely';
import { sqlState } from '../kysely/engines/error-codes.js';

/** Thrown when the server found damage. The message says what a person can do. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError';
}

/** A damaged table (XX001) or index (XX002). */
const DAMAGED = ['XX001', 'XX002'];

const WRITES: readonly RootOperationNode['kind'][] = [
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
];

/** Refuses the writes of all callers once the server reported damage to one. */
export class Damage {
  #damage: DamagedDatabaseError | null = null;

  /** Notes an error of damage, and returns what to throw. Returns other errors unchanged. */
  note(error: unknown): unknown {
    if (!DAMAGED.includes(sqlState(error) ?? '')) return error;
    this.#damage ??= new DamagedDatabaseError(
      'The Postgres database is damaged: the cause says where. This host writes nothing to it any more, so nothing is charged. Stop every host, and restore the newest backup, or repair the database, such as a damaged index with reindex.',
      { cause: error },
    );
    return this.#damage;
  }

  /** @throws DamagedDatabaseError when the statement writes and damage was found */
  refuseWrite({ kind }: RootOperationNode): void {
    if (WRITES.includes(kind)) this.refuseTransaction();
  }

  /** @throws DamagedDatabaseError when damage was found, because a transaction is begun in order to write */
  refuseTransaction(): void {
    if (this.#damage !== null) throw this.#damage;
  }
}
