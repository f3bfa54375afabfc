import Database from 'better-sqlite3';
import { UnusableState } from './unusable-state.js';

/**
 * Holds a file for this process alone until released, so that two hosts never write one chain file. It is SQLite's
 * own file lock: the operating system drops it when the process dies, however it dies.
 * @throws UnusableState when another process holds it
 */
export function holdLock(path: string): () => void {
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new UnusableState(`Another process uses ${path}. Stop that one first, or set SUBRAIL_DATA_DIR.`, {
      cause,
    });
  }
  return () => database.close();
}
