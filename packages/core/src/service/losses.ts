/** Of how many transactions one lost is too many, how many have to be lost at least, and within which time. */
const ONE_OF = 10;
const AT_LEAST = 3;
const WINDOW_MS = 10 * 60_000;

/** How many transactions were resolved, and how many of them were lost. */
export interface LossCount {
  readonly resolved: number;
  readonly lost: number;
}

/** Counts the transactions that this process resolved lately, and finds out whether too many of them were lost. */
export class Losses {
  /** By minute. */
  readonly #minutes: { readonly since: number; resolved: number; lost: number }[] = [];

  /** Records what became of one transaction. */
  record(state: 'landed' | 'failed' | 'lost', at: Date): void {
    const minute = this.#minuteOf(at);
    minute.resolved += 1;
    if (state === 'lost') minute.lost += 1;
  }

  /**
   * The counts of the last ten minutes when a tenth or more was lost, and three at least; else null
   * (attempts#repeated-losses).
   * @param unrecorded what was resolved since and is not recorded yet
   */
  tooMany(at: Date, unrecorded: LossCount = { resolved: 0, lost: 0 }): LossCount | null {
    this.#minuteOf(at);
    const resolved = this.#minutes.reduce((sum, one) => sum + one.resolved, unrecorded.resolved);
    const lost = this.#minutes.reduce((sum, one) => sum + one.lost, unrecorded.lost);
    return lost >= AT_LEAST && lost * ONE_OF >= resolved ? { resolved, lost } : null;
  }

  #minuteOf(at: Date): { resolved: number; lost: number } {
    const since = Math.floor(at.getTime() / 60_000) * 60_000;
    while (this.#minutes[0] !== undefined && this.#minutes[0].since <= since - WINDOW_MS)
      this.#minutes.shift();
    const last = this.#minutes.at(-1);
    if (last !== undefined && last.since >= since) return last;
    const next = { since, resolved: 0, lost: 0 };
    this.#minutes.push(next);
    return next;
  }
}
