/** Runs tasks at the same time, at most `limit` of them. The failure of one starts no further task. */
export class Overlap {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a task as soon as there is room for it. Rejects with the failure of an earlier task. */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
    this.#rethrow();
    const run = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Waits for every task. Rejects with the first failure. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#rethrow();
  }

  #rethrow(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
