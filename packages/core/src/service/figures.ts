import type { AttemptOutcome } from '../contract/enums.js';
import type { ChargerView } from '../ports/index.js';

/** How many attempts had an outcome and a reason. */
export interface AttemptCount {
  readonly outcome: AttemptOutcome;
  /** Null exactly for `paid`. */
  readonly reason: string | null;
  readonly count: number;
}

/** How often a method of the chain port was called, and how many of these calls got no answer or failed. */
export interface ChainCallCount {
  readonly method: string;
  readonly calls: number;
  readonly failures: number;
}

/** The charger as it was read last. */
export interface ChargerReading extends ChargerView {
  readonly readAt: Date;
}

/** What this process has counted and read since it began, for the metrics. */
export class Figures {
  readonly #attempts = new Map<string, AttemptCount>();
  readonly #transfers = { landed: 0, failed: 0, lost: 0 };
  readonly #deliveries = { delivered: 0, retrying: 0, failed: 0 };
  readonly #chainCalls = new Map<string, ChainCallCount>();
  #claimed = 0;
  #charger: ChargerReading | null = null;

  /** Attempts by outcome and reason. */
  get attempts(): readonly AttemptCount[] {
    return [...this.#attempts.values()];
  }

  /** Transfers by what became of them. */
  get transfers(): Readonly<Record<'landed' | 'failed' | 'lost', number>> {
    return { ...this.#transfers };
  }

  /** Attempts of deliveries by their result. */
  get deliveries(): Readonly<Record<'delivered' | 'retrying' | 'failed', number>> {
    return { ...this.#deliveries };
  }

  get chainCalls(): readonly ChainCallCount[] {
    return [...this.#chainCalls.values()];
  }

  /** How many subscriptions the charge pass is working on at this instant. */
  get claimed(): number {
    return this.#claimed;
  }

  /** Null until it was read. */
  get charger(): ChargerReading | null {
    return this.#charger;
  }

  countAttempt(outcome: AttemptOutcome, reason: string | null): void {
    const key = `${outcome} ${reason}`;
    this.#attempts.set(key, { outcome, reason, count: (this.#attempts.get(key)?.count ?? 0) + 1 });
  }

  countTransfer(state: 'landed' | 'failed' | 'lost'): void {
    this.#transfers[state] += 1;
  }

  countDeliveries(pass: Readonly<Record<'delivered' | 'retrying' | 'failed', number>>): void {
    this.#deliveries.delivered += pass.delivered;
    this.#deliveries.retrying += pass.retrying;
    this.#deliveries.failed += pass.failed;
  }

  countChainCall(method: string, failed: boolean): void {
    const { calls, failures } = this.#chainCalls.get(method) ?? { calls: 0, failures: 0 };
    this.#chainCalls.set(method, { method, calls: calls + 1, failures: failures + (failed ? 1 : 0) });
  }

  /** Counts claimed subscriptions; a negative number when the work on them is over. */
  addClaimed(subscriptions: number): void {
    this.#claimed += subscriptions;
  }

  setCharger(view: ChargerView, readAt: Date): void {
    this.#charger = { ...view, readAt };
  }
}
