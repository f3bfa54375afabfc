import { closeSync, openSync } from 'node:fs';
import SqliteFile, { type Database } from 'better-sqlite3';

/** Thrown when a path cannot be opened, or its file is no SQLite database. The message says what a person can do. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
}

/**
 * Opens a SQLite file as the store needs it. A missing file is created, readable by its owner only. Throws a
 * DatabaseFileError when the path cannot be opened, or the file is no SQLite database.
 */
export function openFile(path: string, busyTimeoutMs: number): Database {
  let file: Database | null = null;
  try {
    if (path !== ':memory:') createForOwnerOnly(path);
    file = new SqliteFile(path, { timeout: busyTimeoutMs });
    configure(file);
    return file;
  } catch (error) {
    file?.close();
    const sentence = SENTENCES[codeOf(error)]?.(path);
    throw sentence === undefined ? error : new DatabaseFileError(sentence, { cause: error });
  }
}

/** Why a file cannot be used, by the code of SQLite or of the file system. */
const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  SQLITE_NOTADB: (path) =>
    `The file ${path} is not a SQLite database, or it is damaged. Give the path of another file, or restore it from a copy.`,
  SQLITE_CANTOPEN: cannotBeOpened,
  EACCES: cannotBeOpened,
};

function cannotBeOpened(path: string): string {
  return `The database ${path} cannot be opened. Check that it is a file, and its permissions and those of its folder.`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function configure(file: Database): void {
  // In WAL mode reads continue while another process writes.
  file.pragma('journal_mode = WAL');
  // With the default of WAL mode a power cut can lose the last commits, which may be payments.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // The driver waits for locks from here on, because SQLite would block the event loop.
  file.pragma('busy_timeout = 0');
}

/**
 * Creates a missing file with permissions for its owner only. SQLite would follow the umask, and it copies the
 * permissions to the files next to it (`-wal`, `-shm`). An existing file is not opened: closing it would drop the locks
 * that another connection of this process holds.
 */
function createForOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
