import type { SubscriptionId } from '../records/index.js';

/** How many losses in a row of one subscription are a trouble (attempts#repeated-losses). */
const LOSSES_IN_A_ROW = 3;
/** Of how many transactions one lost is a trouble, and within which time. */
const ONE_OF = 10;
const WINDOW_MS = 10 * 60_000;

/** What a resolved transaction shows: a subscription that loses one after the other, or that too many are lost. */
export type LossFinding =
  | { readonly subject: 'in_a_row'; readonly facts: { readonly subscription: string; readonly lost: number } }
  | { readonly subject: 'share'; readonly facts: { readonly resolved: number; readonly lost: number } };

/** Counts the transactions that were resolved lately, and finds out whether too many of them are lost. */
export class Losses {
  readonly #inARow = new Map<SubscriptionId, number>();
  /** By minute. */
  readonly #minutes: { readonly since: number; resolved: number; lost: number }[] = [];

  /** Records what became of one transaction, and returns what it shows. */
  record(
    subscription: SubscriptionId,
    state: 'landed' | 'failed' | 'lost',
    at: Date,
  ): readonly LossFinding[] {
    const minute = this.#minuteOf(at);
    minute.resolved += 1;
    if (state !== 'lost') {
      this.#inARow.delete(subscription);
      return [];
    }
    minute.lost += 1;
    const inARow = (this.#inARow.get(subscription) ?? 0) + 1;
    this.#inARow.set(subscription, inARow);
    const resolved = this.#minutes.reduce((sum, one) => sum + one.resolved, 0);
    const lost = this.#minutes.reduce((sum, one) => sum + one.lost, 0);
    return [
      ...(inARow >= LOSSES_IN_A_ROW
        ? [{ subject: 'in_a_row', facts: { subscription, lost: inARow } } as const]
        : []),
      ...(lost * ONE_OF >= resolved ? [{ subject: 'share', facts: { resolved, lost } } as const] : []),
    ];
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
