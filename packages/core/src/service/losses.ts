import type { Clock } from '../ports/index.js';

// The rule is attempts#repeated-losses.

/** Too many losses: one of ten transactions, and three at least, within ten minutes. */
const ONE_OF = 10;
const AT_LEAST = 3;
const WINDOW_MS = 10 * 60_000;

/** How many transactions were resolved, and how many of them were lost. */
export interface LossCount {
  readonly resolved: number;
  readonly lost: number;
}

/** Counts the transactions that this process resolved lately, and tells when too many were lost. */
export class Losses {
  readonly #clock: Pick<Clock, 'now'>;
  /** By minute. */
  #minutes: { readonly since: number; resolved: number; lost: number }[] = [];

  /** @param clock the host's, also while passes follow the clock of the chain: calls and passes share it */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  record(state: 'landed' | 'failed' | 'lost'): void {
    const minute = this.#thisMinute();
    minute.resolved += 1;
    if (state === 'lost') minute.lost += 1;
  }

  /**
   * The counts of the last ten minutes when a tenth or more was lost, and three at least; else null.
   * @param unrecorded later results, which are not recorded yet
   */
  tooMany(unrecorded: LossCount = { resolved: 0, lost: 0 }): LossCount | null {
    this.#thisMinute();
    const resolved = this.#minutes.reduce((sum, minute) => sum + minute.resolved, unrecorded.resolved);
    const lost = this.#minutes.reduce((sum, minute) => sum + minute.lost, unrecorded.lost);
    return lost >= AT_LEAST && lost * ONE_OF >= resolved ? { resolved, lost } : null;
  }

  #thisMinute(): { resolved: number; lost: number } {
    const since = Math.floor(this.#clock.now().getTime() / 60_000) * 60_000;
    // Minutes after `since` are of a clock that was set back, and would else count for too long.
    this.#minutes = this.#minutes.filter((one) => one.since <= since && one.since > since - WINDOW_MS);
    const last = this.#minutes.at(-1);
    if (last?.since === since) return last;
    const next = { since, resolved: 0, lost: 0 };
    this.#minutes.push(next);
    return next;
  }
}
