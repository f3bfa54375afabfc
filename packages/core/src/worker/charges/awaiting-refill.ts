import { createCommitter } from '../../commits/commit-changes.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainUnavailable } from '../../ports/index.js';
import type { Service } from '../../service.js';
import { commitBatch } from './commit-batch.js';

/** Charges that are remembered, so that an empty charger fills no memory. Others wait for their try. */
const MOST = 5_000;

/** How many are made due in one commit. */
const AT_ONCE = 200;

/**
 * The charges of this process that the charger's SOL did not pay for. More SOL makes them due
 * (blocks#charger-that-was-refilled).
 */
export class AwaitingRefill {
  readonly #service: Service;
  /** By subscription, with what the charger had. */
  readonly #waiting = new Map<string, { readonly changes: SubscriptionChanges; readonly balance: bigint }>();

  constructor(service: Service) {
    this.#service = service;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Remembers a charge that was just blocked, when it was for the charger's SOL. */
  note(changes: SubscriptionChanges, unavailable: ChainUnavailable): void {
    if (unavailable.kind !== 'rpc' || unavailable.chargerBalance === undefined) return;
    const { id } = changes.subscription;
    if (this.#waiting.size < MOST || this.#waiting.has(id))
      this.#waiting.set(id, { changes, balance: unavailable.chargerBalance });
  }

  /**
   * Makes the charges due for which the charger had less than `balance`. A change made meanwhile stays: this
   * commit is lost.
   */
  async wake(balance: bigint): Promise<void> {
    const refilled = [...this.#waiting].filter(([, waiting]) => waiting.balance < balance);
    for (const [id] of refilled) this.#waiting.delete(id);
    const committer = createCommitter(this.#service);
    const now = this.#service.clock.now();
    for (let first = 0; first < refilled.length; first += AT_ONCE) {
      const due = refilled.slice(first, first + AT_ONCE).map(([, waiting]) => waiting.changes.next());
      for (const changes of due) changes.apply({ kind: 'poll_scheduled', nextTryAt: now }, now);
      await commitBatch(this.#service, committer, due, null);
    }
  }
}
