import type { Billing } from '@subrail/core';
import type { FullStore } from '@subrail/core/ports';

import type { TestClock } from './test-clock.js';

/** Work that is due within this time is waited for, such as the outcome of a charge that was sent. */
const SOON_MS = 5_000;

/**
 * How many passes at one instant may leave work that is due. A pass may make some due at once, such as the
 * charge of a parked subscription whose seat it freed, and the next pass does it.
 */
const PASSES_AT_ONE_INSTANT = 100;

interface MovedService {
  readonly billing: Billing;
  readonly store: FullStore;
  readonly clock: TestClock;
}

/**
 * Moves time to an instant and does the work on the way, all of it within the second in which it is due. At
 * the end it waits for work that is due soon.
 */
export async function workUntil(
  { billing, store, clock }: MovedService,
  until: Date,
  work: 'charges' | 'charges and deliveries',
): Promise<void> {
  const withDeliveries = work === 'charges and deliveries';
  let passes = 0;
  for (;;) {
    await billing.worker.charge();
    // Signing and posting take real time, during which a sleep of the pass must not move the clock.
    if (withDeliveries) await clock.whileFrozen(() => billing.worker.deliver());
    const now = clock.now().getTime();
    const wakeAt = instantOf(await store.nextWakeAt());
    // invariants#timed-work-has-a-wake-date: passes do not leave for ever what is due already.
    passes = wakeAt <= now ? passes + 1 : 0;
    if (passes === PASSES_AT_ONE_INSTANT) {
      throw new Error(`${passes} charge passes left work that is ${now - wakeAt} ms overdue.`);
    }
    if (passes > 0) continue;
    const next = Math.min(wakeAt, withDeliveries ? instantOf(await store.nextDeliveryAt()) : Infinity);
    if (next > Math.max(until.getTime(), now + SOON_MS)) break;
    clock.advance(wholeSeconds(Math.max(1, next - now)));
  }
  const left = until.getTime() - clock.now().getTime();
  if (left > 0) clock.advance(wholeSeconds(left));
}

const instantOf = (date: Date | null): number => date?.getTime() ?? Infinity;

/** The chain counts whole seconds, and what is due within one is done at its end. */
const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000) * 1000;
