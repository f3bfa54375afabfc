import type { Clock } from '../ports/clock.js';
import { eventLoopTurn } from './event-loop-turn.js';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * A `Clock` for tests: time passes only when the test moves it.
 *
 * @example
 * const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
 * clock.advance(30 * 60_000);
 */
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

  /** Moves time forward, and ends the sleeps that are over, soonest first. Throws for a negative `ms`. */
  advance(ms: number): void {
    if (ms < 0) throw new RangeError(`A clock does not go back: expected 0 ms or more, found ${ms}.`);
    const target = this.#now + ms;
    for (let next = this.#nextSleeper(); next !== null && next.until <= target; next = this.#nextSleeper()) {
      this.#now = Math.max(this.#now, next.until);
      next.wake();
    }
    this.#now = target;
  }

  /** Moves time forward to an instant. */
  advanceTo(instant: Date): void {
    this.advance(instant.getTime() - this.#now);
  }

  /** Whether a sleep is running. */
  get sleeping(): boolean {
    return this.#sleepers.size > 0;
  }

  /**
   * Runs work that sleeps by this clock to its end without real waiting: time moves to the end of the next
   * sleep when nothing else is left to do. Work that also waits for a socket may see more time pass than it
   * slept.
   */
  async finish<T>(work: Promise<T>): Promise<T> {
    const state = { settled: false };
    const settle = () => {
      state.settled = true;
    };
    work.then(settle, settle);
    for (;;) {
      await eventLoopTurn();
      if (state.settled) return work;
      const next = this.#nextSleeper();
      if (next !== null) this.advance(Math.max(0, next.until - this.#now));
    }
  }

  #nextSleeper(): Sleeper | null {
    let first: Sleeper | null = null;
    for (const sleeper of this.#sleepers) if (first === null || sleeper.until < first.until) first = sleeper;
    return first;
  }
}
