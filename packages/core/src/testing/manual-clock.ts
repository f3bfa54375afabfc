import type { Clock } from '../ports/clock.js';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start: Date) {
    this.#now = start.getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      if (ms <= 0 || signal?.aborted === true) {
        resolve();
        return;
      }
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake);
    });
  }

  /** Moves time forward and wakes, in their order, all whose sleep is over. A clock never goes back. */
  advance(ms: number): void {
    if (ms < 0) throw new RangeError('A clock does not go back.');
    const target = this.#now + ms;
    for (let next = this.#first(); next !== null && next.until <= target; next = this.#first()) {
      this.#now = Math.max(this.#now, next.until);
      next.wake();
    }
    this.#now = target;
  }

  /** Moves time forward to an instant. */
  advanceTo(instant: Date): void {
    this.advance(instant.getTime() - this.#now);
  }

  /** Whether anyone sleeps. */
  get sleeping(): boolean {
    return this.#sleepers.size > 0;
  }

  /**
   * Lets work that waits by this clock finish: whenever nothing else is left to do, time moves to the next waking.
   * Nothing waits for real. Work that waits for anything but this clock and what it started itself may see time run ahead.
   */
  async finish<T>(work: Promise<T>): Promise<T> {
    const state = { settled: false };
    const settle = () => {
      state.settled = true;
    };
    work.then(settle, settle);
    for (;;) {
      await aTurn();
      if (state.settled) return work;
      const next = this.#first();
      if (next !== null) this.advance(Math.max(0, next.until - this.#now));
    }
  }

  #first(): Sleeper | null {
    let first: Sleeper | null = null;
    for (const sleeper of this.#sleepers) if (first === null || sleeper.until < first.until) first = sleeper;
    return first;
  }
}

/** One turn of the event loop: everything that only waited for promises has run by its end. */
function aTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
