import type { Database as SqliteFile, Statement } from 'better-sqlite3';

/** How long a commit may be in the WAL only. */
export const CHECKPOINT_DELAY_MS = 1_000;

/**
 * Copies commits from the WAL into the database file soon after they were made. SQLite itself waits until the WAL has a
 * thousand pages, so the file of a small service would stay empty, and so would a copy of that file alone. A commit is
 * durable in the WAL already: a checkpoint that fails or has to wait for a reader loses nothing.
 */
export class Checkpoints {
  readonly #file: SqliteFile;
  readonly #countChanges: Statement<[], number>;
  /** The rows that this connection had changed when everything was in the file. */
  #changesInFile = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.#countChanges = file.prepare<[], number>('select total_changes()').pluck();
  }

  /** Makes sure that a checkpoint follows if something was written. Call it after each use of the connection. */
  afterUse(): void {
    if (this.#timer !== null || !this.#file.open || this.#isComplete()) return;
    this.#timer = setTimeout(() => this.#run(), CHECKPOINT_DELAY_MS);
    this.#timer.unref();
  }

  /** Runs the last checkpoint. Other connections may keep the file open, and then closing this one runs none. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#run();
  }

  #isComplete(): boolean {
    return this.#countChanges.get() === this.#changesInFile;
  }

  #run(): void {
    this.#timer = null;
    // Within a transaction none can run. The end of the transaction asks for the next.
    if (!this.#file.open || this.#file.inTransaction) return;
    const changes = this.#countChanges.get() ?? 0;
    try {
      const [result] = this.#file.pragma('wal_checkpoint(PASSIVE)') as readonly CheckpointResult[];
      if (result?.log === result?.checkpointed) this.#changesInFile = changes;
    } catch {
      // The next use of the connection asks for another; a disk that fails shows in its own writes.
    }
  }
}

/** What SQLite answers: the pages in the WAL, and how many of them are in the file now. */
interface CheckpointResult {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}
