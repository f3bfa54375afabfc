import { realpathSync, statSync } from 'node:fs';
import { DatabaseFileError } from './faults.js';

/**
 * Notices when files of an open database are no longer at their paths. A process goes on writing to a deleted
 * file, of which others know nothing, and which ends with it.
 */
export class FilesInPlace {
  readonly #path: string;
  readonly #database: bigint | null;
  readonly #wal: bigint | null;

  /** Notes the files, which must exist; a database in memory has none. */
  constructor(path: string) {
    // SQLite puts its files next to the target of a link.
    this.#path = path === ':memory:' ? path : realpathSync(path);
    this.#database = path === ':memory:' ? null : inodeOf(this.#path);
    this.#wal = path === ':memory:' ? null : inodeOf(`${this.#path}-wal`);
  }

  /** @throws DatabaseFileError when a file was moved, deleted or replaced */
  check(): void {
    const path = this.#path;
    if (this.#database === null) return;
    if (inodeOf(path) !== this.#database)
      throw new DatabaseFileError(
        `The database ${path} was moved, deleted or replaced while it was open. Nothing is written to it any more, so nothing is charged. Stop every host, put the file and those next to it back in their place, and start again.`,
      );
    if (inodeOf(`${path}-wal`) !== this.#wal)
      throw new DatabaseFileError(
        `The file ${path}-wal was moved, deleted or replaced while it was in use. Nothing is written to the database any more, so nothing is charged. Stop every host with SIGTERM, which brings what that file had into the database, and start again.`,
      );
  }
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
