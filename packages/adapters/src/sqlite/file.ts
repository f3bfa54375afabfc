import { closeSync, openSync } from 'node:fs';
import SqliteFile, { type Database } from 'better-sqlite3';

/** Opens a SQLite file as the store needs it. A missing file is created, readable by its owner only. */
export function openFile(path: string, busyTimeoutMs: number): Database {
  if (path !== ':memory:') createForOwnerOnly(path);
  const file = new SqliteFile(path, { timeout: busyTimeoutMs });
  // In WAL mode reads continue while another process writes.
  file.pragma('journal_mode = WAL');
  // With the default of WAL mode a power cut can lose the last commits, which may be payments.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // The driver waits for locks from here on, because SQLite would block the event loop.
  file.pragma('busy_timeout = 0');
  return file;
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
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
