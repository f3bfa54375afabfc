import Database from 'better-sqlite3';
import { StateError } from './state-error.js';

/**
 * Holds a file for this process alone until released, so that two processes never write one chain. It is SQLite's own
 * file lock, on `<file>.lock`: the operating system drops it when the process dies, however it dies.
 * @throws StateError when another process holds it
 */
export function lockFile(file: string): () => void {
  const database = new Database(`${file}.lock`, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new StateError(`Another process uses ${file}. Stop that one first, or choose another place.`, {
      cause,
    });
  }
  return () => database.close();
}
