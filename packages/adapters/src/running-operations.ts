import { Unavailable } from '@subrail/core/ports';
import type { Guard } from './guard-operations.js';

/**
 * Counts the operations of a store that run, so that its database is closed after the last of them. The driver cannot do that: an
 * operation of several statements takes a connection for each, and has none in between.
 */
export class RunningOperations {
  #running = 0;
  #closed: Promise<void> | null = null;
  /** Ends the wait of `close` for the operations that run. */
  #allEnded: () => void = () => undefined;

  /** Runs an operation; throws `Unavailable` once the store was closed. */
  readonly guard: Guard = async (run) => {
    if (this.#closed !== null) throw new Unavailable('The store is closed. Open it again to use it.');
    this.#running++;
    try {
      return await run();
    } finally {
      this.#running--;
      if (this.#running === 0) this.#allEnded();
    }
  };

  /** Refuses later operations, waits for those that run, and then closes the database. Further calls wait for the first. */
  close(closeDatabase: () => Promise<void>): Promise<void> {
    this.#closed ??= this.#closeAfterAll(closeDatabase);
    return this.#closed;
  }

  async #closeAfterAll(closeDatabase: () => Promise<void>): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#allEnded = resolve));
    await closeDatabase();
  }
}
