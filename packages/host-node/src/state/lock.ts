import Database from 'better-sqlite3';

/** Another process holds the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/**
 * Holds a file for this process alone until released, so that two hosts never write one chain file. It is SQLite's
 * own file lock: the operating system drops it when the process dies, however it dies.
 * @throws FolderInUse when another process holds it
 */
export function holdLock(path: string): () => void {
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new FolderInUse(`Another process uses ${path}.`, { cause });
  }
  return () => database.close();
}
