import { setTimeout as sleep } from 'node:timers/promises';
import SqliteFile, { type Database } from 'better-sqlite3';

/** The longest wait of writers. */
const LONGEST_HOLD_MS = 1_000;
const PAUSE_MS = { writer: 1, reader: 10 };

/**
 * Empties the WAL. A second connection takes the lock of writers until the file has everything and earlier
 * readers have finished. Readers that begin meanwhile read the file, and go on.
 *
 * @returns false when a reader stayed longer than writers may wait, or the signal aborted
 */
export async function emptyWal(file: Database, signal: AbortSignal): Promise<boolean> {
  const holder = new SqliteFile(file.name, { timeout: 0, fileMustExist: true });
  const until = performance.now() + LONGEST_HOLD_MS;
  const hold = () => holder.inTransaction || succeeds(() => holder.exec('begin immediate'));
  try {
    while (!signal.aborted && performance.now() < until) {
      if (!hold()) {
        await sleep(PAUSE_MS.writer);
        continue;
      }
      // Without writers, a checkpoint completes when the readers of older states have finished.
      if (isWhole(file, 'PASSIVE')) {
        holder.exec('rollback');
        if (isWhole(file, 'TRUNCATE')) return true;
        // A reader is left. The lock is taken back before others notice.
        hold();
      }
      await sleep(PAUSE_MS.reader);
    }
    return false;
  } finally {
    holder.close();
  }
}

function succeeds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    // Another writer was faster.
    return false;
  }
}

/** Runs a checkpoint. Returns whether it is complete; within a transaction none can run. */
function isWhole(file: Database, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
  if (!file.open || file.inTransaction) return false;
  const [result] = file.pragma(`wal_checkpoint(${mode})`) as readonly {
    readonly busy: number;
    readonly log: number;
    readonly checkpointed: number;
  }[];
  return result !== undefined && result.busy === 0 && result.log === result.checkpointed;
}
