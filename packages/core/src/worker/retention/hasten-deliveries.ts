import { elapsedOf } from '../../ports/elapsed-of.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';

// The rule is clocks#dates-of-a-clock-that-was-ahead.

/** The clock of another host may be ahead by so much: its dates are waited for. */
const AHEAD_MS = 60_000;

/** A lease and the attempts in it have ended after so long, whatever the clock showed when they began. */
const LEASE_OVER_MS = 45_000;

const EVERY_MS = 24 * 3_600_000;

/**
 * Makes what hastens the deliveries that wait by a clock that was ahead: some time after its first call, after each call that finds the
 * clock set back, and once a day. An attempt in flight would be lost, and made again, if its delivery were hastened meanwhile.
 */
export function createHastening({ store, wallClock }: Service): () => Promise<void> {
  let seenAt: Date | null = null;
  let nextAt = Infinity;
  return async () => {
    const [now, elapsed] = [wallClock.now(), elapsedOf(wallClock)];
    if (seenAt === null || now < plus(seenAt, -AHEAD_MS)) nextAt = elapsed + LEASE_OVER_MS;
    seenAt = now;
    if (elapsed < nextAt) return;
    await store.hastenDeliveries(plus(now, AHEAD_MS), now);
    nextAt = elapsed + EVERY_MS;
  };
}
