import Database from 'better-sqlite3';
import { StateError } from './state-error.js';

/**
 * Locks a file for this process, so that two processes never write the same chain, and returns the function
 * that releases it. It uses SQLite's file lock on `<file>.lock`, which the operating system releases when the
 * process dies. `another` completes the message's "choose ...", such as `another folder with
 * SUBRAIL_DATA_DIR`.
 * @throws StateError when another process has the lock
 */
export function lockFile(file: string, another: string): () => void {
  const database = new Database(`${file}.lock`, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (!(cause instanceof Database.SqliteError) || !cause.code.startsWith('SQLITE_BUSY'))
      throw new StateError(`The file ${file} cannot be locked: ${String(cause)}.`, { cause });
    throw new StateError(`Another process is using ${file}. Stop it first, or choose ${another}.`, { cause });
  }
  return () => database.close();
}
