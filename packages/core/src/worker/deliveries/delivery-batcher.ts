import type { SettledDelivery, Store } from '../../ports/index.js';

type Outcome = 'settled' | 'lost';

interface Waiting {
  readonly result: SettledDelivery;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Results of one commit: few enough that a store which does not yield holds up nothing else for long. */
const MOST_TOGETHER = 200;

/** How long a result waits for others. A process that dies meanwhile repeats the same delivery. */
const GATHERED_MS = 5;

/**
 * Writes the results of attempts. Results of a few milliseconds, or of the time of a write, share a commit,
 * because a commit costs much more than a row.
 */
export class DeliveryBatcher {
  readonly #store: Pick<Store, 'settleDeliveries'>;
  readonly #waiting: Waiting[] = [];
  #writing = false;

  constructor(store: Pick<Store, 'settleDeliveries'>) {
    this.#store = store;
  }

  /** Writes a result, and says whether it counts. Rejects when the store fails. */
  settle(result: SettledDelivery): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ result, resolve, reject });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      // Not a time of the service: it only lets the sockets that are ready be read.
      // oxlint-disable-next-line no-restricted-globals -- a held clock of a test would hold the results too
      await new Promise((resolve) => setTimeout(resolve, GATHERED_MS));
      await this.#write(this.#waiting.splice(0, MOST_TOGETHER));
    }
    this.#writing = false;
  }

  /** Writes results together, or one by one when the store refuses any of them. */
  async #write(together: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#store.settleDeliveries(together.map(({ result }) => result));
      for (const [place, { resolve }] of together.entries()) resolve(outcomes[place] ?? 'lost');
    } catch (error) {
      const [first] = together;
      if (together.length === 1) first?.reject(error);
      else for (const one of together) await this.#write([one]);
    }
  }
}
