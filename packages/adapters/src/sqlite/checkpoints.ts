import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import { emptyWal } from './empty-wal.js';

/** The time until a commit is in the file too. */
export const CHECKPOINT_DELAY_MS = 1_000;

/** The size of the WAL from which writers wait until it is empty. */
export const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** The wait after readers kept the WAL from being emptied. It doubles up to the last. */
const RETRY_MS = { first: 10_000, last: 60_000 };

/**
 * Copies commits from the WAL into the file soon after they were made. SQLite itself waits for a thousand
 * pages, so the file of a small service, and a copy of it, would stay empty. The WAL is durable: a checkpoint
 * that fails or waits loses nothing.
 *
 * SQLite begins the WAL anew only without readers, which may never happen while reads of several processes
 * overlap. Past the limit, `emptyWal` makes it happen.
 */
export class Checkpoints {
  readonly #file: SqliteFile;
  readonly #countChanges: Statement<[], number>;
  readonly #pageBytes: number;
  /** The changed rows when everything was in the file. */
  #changesInFile = 0;
  #timer: NodeJS.Timeout | null = null;
  #emptying: Promise<void> | null = null;
  readonly #closing = new AbortController();
  #retryMs = RETRY_MS.first;
  #emptyAgainAt = 0;
  #isStopped = false;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.#countChanges = file.prepare<[], number>('select total_changes()').pluck();
    this.#pageBytes = file.pragma('page_size', { simple: true }) as number;
  }

  /** Schedules a checkpoint if something was written. Call it after each use of the connection. */
  afterUse(): void {
    if (this.#isStopped || this.#timer !== null || !this.#file.open || this.#isComplete()) return;
    this.#timer = setTimeout(() => this.#run(), CHECKPOINT_DELAY_MS);
    this.#timer.unref();
  }

  /** Stops checkpoints, which would write into a damaged file. The WAL keeps the commits. */
  stop(): void {
    this.#isStopped = true;
    this.#closing.abort();
  }

  /** Runs the last checkpoint: SQLite runs none at a close while other connections have the file open. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#emptying;
    this.#run();
  }

  #isComplete(): boolean {
    return this.#countChanges.get() === this.#changesInFile;
  }

  #run(): void {
    this.#timer = null;
    // Impossible within a transaction, whose end asks for the next.
    if (this.#isStopped || !this.#file.open || this.#file.inTransaction) return;
    const changes = this.#countChanges.get() ?? 0;
    try {
      const [result] = this.#file.pragma('wal_checkpoint(PASSIVE)') as readonly CheckpointResult[];
      if (result === undefined) return;
      if (result.log === result.checkpointed) this.#changesInFile = changes;
      if (result.log * this.#pageBytes > WAL_LIMIT_BYTES) this.#empty();
    } catch {
      // The next use asks again; a failing disk shows in its own writes.
    }
  }

  #empty(): void {
    const now = performance.now();
    if (this.#emptying !== null || this.#closing.signal.aborted || now < this.#emptyAgainAt) return;
    const note = (emptied: boolean) => {
      this.#emptying = null;
      this.#emptyAgainAt = emptied ? 0 : performance.now() + this.#retryMs;
      this.#retryMs = emptied ? RETRY_MS.first : Math.min(2 * this.#retryMs, RETRY_MS.last);
    };
    // A failure shows in the writes of the service.
    this.#emptying = emptyWal(this.#file, this.#closing.signal).then(note, () => note(false));
  }
}

/** The pages in the WAL, and how many of them are in the file. */
interface CheckpointResult {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
