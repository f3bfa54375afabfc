import { elapsedOf } from '../ports/elapsed-of.js';
import type { Service } from '../service.js';
import { within } from './within.js';

// The rule is clocks#chain-asked-after-a-step.

/** How often calls ask for the chain's time. */
const EVERY_MS = 1_000;

/** For how long a call waits for the chain's time. */
const WAIT_MS = 1_000;

/** An answer may be lost with the call that asked for it, on some platforms: then the chain is asked again. */
const LOST_AFTER_MS = 10_000;

/**
 * Makes what a call does before it goes by the clock: when the clock needs a time to compare itself with, the call asks the chain for
 * its time, which tells the clock, and waits for it a second at most. All calls of a service share one question a second. So a
 * process that has no worker and stood between two calls does not answer by the time before.
 */
export function clockComparison({ chain, clock }: Pick<Service, 'chain' | 'clock'>): () => Promise<void> {
  let askedAt = -Infinity;
  /** The last question to the chain, while it does not answer. */
  let asked: Promise<unknown> | null = null;

  function ask(): void {
    const question = chain
      .head()
      // The next question is the next try.
      .catch(() => null)
      .finally(() => {
        if (asked === question) asked = null;
        // The next step is another one. The time that passed may stand until then.
        if (clock.needsComparison?.() !== true) askedAt = -Infinity;
      });
    asked = question;
  }

  return async () => {
    if (clock.needsComparison?.() !== true) return;
    const now = elapsedOf(clock);
    // A clock that tells no time that passed may have been set back.
    if (Math.abs(now - askedAt) >= (asked === null ? EVERY_MS : LOST_AFTER_MS)) {
      askedAt = now;
      ask();
    }
    const left = askedAt + WAIT_MS - now;
    if (asked !== null && left > 0) await within(clock, left, asked);
  };
}
