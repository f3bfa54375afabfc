import { elapsedOf } from '../ports/elapsed-of.js';
import type { Service } from '../service.js';
import { within } from './within.js';

// The rule is clocks#chain-asked-after-a-step.

/** How often calls ask for the chain's time. */
const EVERY_MS = 1_000;

/** For how long a call waits for the chain's time. */
const WAIT_MS = 1_000;

/** Some platforms lose an answer with the call that asked for it: then the chain is asked again. */
const LOST_AFTER_MS = 10_000;

/**
 * Makes the step before a call that goes by the clock: a clock that needs a comparison is told the chain's
 * time, which the call waits for at most a second. All calls of a service ask once a second together. So a
 * process without a worker that stood still between two calls does not answer by an old time.
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
