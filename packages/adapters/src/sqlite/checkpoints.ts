import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import { emptyWal } from './empty-wal.js';

/** How long a commit may be in the WAL only. */
export const CHECKPOINT_DELAY_MS = 1_000;

/** How large the WAL may become, in bytes, before writers wait until it was emptied. */
export const WAL_LIMIT_BYTES = 16 * 1024 * 1024;

/** How long to wait before a WAL that readers kept from being emptied is tried again. The wait doubles up to the last one. */
const RETRY_MS = { first: 10_000, last: 60_000 };

/**
 * Copies commits from the WAL into the database file soon after they were made. SQLite itself waits until the WAL has a
 * thousand pages, so the file of a small service would stay empty, and so would a copy of that file alone. A commit is
 * durable in the WAL already: a checkpoint that fails or has to wait for a reader loses nothing.
 *
 * SQLite begins the WAL anew only at a moment without readers, which may never come while reads of several processes
 * overlap: the WAL would grow until the disk is full. Past a limit, this makes that moment come.
 */
export class Checkpoints {
  readonly #file: SqliteFile;
  readonly #countChanges: Statement<[], number>;
  readonly #pageBytes: number;
  /** The rows that this connection had changed when everything was in the file. */
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

  /** Makes sure that a checkpoint follows if something was written. Call it after each use of the connection. */
  afterUse(): void {
    if (this.#isStopped || this.#timer !== null || !this.#file.open || this.#isComplete()) return;
    this.#timer = setTimeout(() => this.#run(), CHECKPOINT_DELAY_MS);
    this.#timer.unref();
  }

  /** Runs no checkpoint any more: the file is damaged, and a checkpoint would write into it. The WAL keeps what was written. */
  stop(): void {
    this.#isStopped = true;
    this.#closing.abort();
  }

  /** Runs the last checkpoint. Other connections may keep the file open, and then closing this one runs none. */
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
    // Within a transaction none can run. The end of the transaction asks for the next.
    if (this.#isStopped || !this.#file.open || this.#file.inTransaction) return;
    const changes = this.#countChanges.get() ?? 0;
    try {
      const [result] = this.#file.pragma('wal_checkpoint(PASSIVE)') as readonly CheckpointResult[];
      if (result === undefined) return;
      if (result.log === result.checkpointed) this.#changesInFile = changes;
      if (result.log * this.#pageBytes > WAL_LIMIT_BYTES) this.#empty();
    } catch {
      // The next use of the connection asks for another; a disk that fails shows in its own writes.
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
    // What fails here shows in the writes of the service.
    this.#emptying = emptyWal(this.#file, this.#closing.signal).then(note, () => note(false));
  }
}

/** What SQLite answers: the pages in the WAL, and how many of them are in the file now. */
interface CheckpointResult {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
