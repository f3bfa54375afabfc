import { setTimeout as sleep } from 'node:timers/promises';
import SqliteFile, { type Database } from 'better-sqlite3';

/** How long writers may be held up. */
const LONGEST_HOLD_MS = 1_000;
/** How long to wait for the writer that has the lock, and for a reader. */
const PAUSE_MS = { writer: 1, reader: 10 };

/**
 * Empties the WAL of a database file: a second connection holds the lock of writers, so that the WAL ends somewhere, until
 * what it has is in the file and every reader that needs it has finished. Readers that begin meanwhile read the file and
 * do not count. Reads go on.
 *
 * @returns whether it is empty; false when a reader stayed for so long that writers could not be held up any more, or the
 * signal aborted
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
      // Nobody writes now, so a checkpoint reaches the end as soon as the readers of older states have finished.
      if (isWhole(file, 'PASSIVE')) {
        holder.exec('rollback');
        if (isWhole(file, 'TRUNCATE')) return true;
        // A reader is left. The lock is taken back before another process notices that it was free.
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

/** Runs a checkpoint. Returns whether it did all that its mode asks for; within a transaction none can run. */
function isWhole(file: Database, mode: 'PASSIVE' | 'TRUNCATE'): boolean {
  if (!file.open || file.inTransaction) return false;
  const [result] = file.pragma(`wal_checkpoint(${mode})`) as readonly {
    readonly busy: number;
    readonly log: number;
    readonly checkpointed: number;
  }[];
  return result !== undefined && result.busy === 0 && result.log === result.checkpointed;
}
