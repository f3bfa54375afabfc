/**
 * Admits a limited number of holders at a time, in the order in which they ask. With a limit of one it is a
 * mutex. For adapters of a limited resource: one connection to a database, a server with a limit of requests.
 *
 * @example
 * import { Semaphore } from '@subrail/core/ports';
 *
 * const requests = new Semaphore(4);
 * const pages = await requests.map(['/a', '/b', '/c'], (path) => fetch(`https://example.com${path}`));
 * console.log(pages.length);
 */
export class Semaphore {
  #limit: number;
  #held = 0;
  /** The waiting callers, in the order of their calls. */
  readonly #waiting: (() => void)[] = [];

  /** @param limit how many may hold it at a time */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many may hold it at a time. A lower limit takes nothing from present holders. */
  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#admit();
  }

  /** Waits for a place, which the caller must `release`. */
  async acquire(): Promise<void> {
    if (this.#held < this.#limit) this.#held++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Gives a place back. The first waiting caller has it at once, so that no later caller comes before. */
  release(): void {
    this.#held--;
    this.#admit();
  }

  /** Runs `work` in a place. Its failure is passed on, and frees the place as its success does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Maps items, each in a place of its own, and keeps their order. The first failure is passed on. */
  map<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
    return Promise.all(items.map((item) => this.run(() => act(item))));
  }

  #admit(): void {
    while (this.#held < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#held++;
      next();
    }
  }
}
