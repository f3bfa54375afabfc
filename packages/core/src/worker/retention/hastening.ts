import type { BatchCursor } from '../../ports/index.js';
import { elapsedOf } from '../../ports/elapsed-of.js';
import { plus } from '../../rules/billing-periods.js';
import { LAST_MAIL_WAIT_MS, MAIL_CLAIM_MS } from '../../rules/mail-retries.js';
import type { Service } from '../../service.js';

// The rule is clocks#dates-of-a-clock-that-was-ahead.

/** The clock of another host may be ahead by so much: its dates are waited for. */
const AHEAD_MS = 60_000;

/** A lease and the attempts in it have ended after so long, whatever the clock showed when they began. */
const LEASE_OVER_MS = 45_000;

const EVERY_MS = 24 * 3_600_000;

/**
 * Makes the function that hastens deliveries and mails which wait by a clock that was ahead. A walk along all
 * of them begins some time after the first call, after each call that finds the clock set back, and a day
 * after the last walk. A call makes one batch of each, and returns whether no walk is under way.
 *
 * An attempt in flight would be lost, and made again, if its delivery were hastened meanwhile. So a clock
 * that is set back ends a walk, and each batch looks at what waits longer than a minute from its own time.
 */
export function createHastening({ store, wallClock, lacks }: Service, limit: number): () => Promise<boolean> {
  let seenAt: Date | null = null;
  let nextAt = Infinity;
  let cursor: BatchCursor | null = null;
  return async () => {
    const [now, elapsed] = [wallClock.now(), elapsedOf(wallClock)];
    if (seenAt === null || now < plus(seenAt, -AHEAD_MS)) {
      nextAt = elapsed + LEASE_OVER_MS;
      cursor = null;
    }
    seenAt = now;
    if (elapsed < nextAt) return true;
    if (!lacks.has('RetentionStore'))
      ({ next: cursor } = await store.hastenDeliveries(plus(now, AHEAD_MS), now, limit, cursor));
    const ahead = (ms: number) => plus(now, ms + AHEAD_MS);
    const mails = lacks.has('MailStore')
      ? 0
      : await store.hastenMails(ahead(MAIL_CLAIM_MS), ahead(LAST_MAIL_WAIT_MS), now, limit);
    const isDone = cursor === null && mails < limit;
    if (isDone) nextAt = elapsed + EVERY_MS;
    return isDone;
  };
}
