import { createCommitter } from '../../commits/commit-changes.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { plus } from '../../rules/billing-periods.js';
import { isWithin } from '../../ports/is-within.js';
import type { Service } from '../../service.js';
import { applyAccessEnd } from '../charges/apply-decision.js';
import type { ClockOfPasses } from '../charges/clock-of-pass.js';
import { LEASE_MS, logUnreadable } from '../charges/charge-pass.js';
import { commitBatch } from '../charges/commit-batch.js';
import { isolateFailures } from '../charges/isolate-failures.js';

/** Ends of access that one pass stores: few enough that a store which does not yield holds up nothing. */
const BATCH = 400;

/** Grace for a charge pass that just claimed the subscription: it normally records the end itself. */
const LEFT_TO_CLAIM_MS = 3_000;

/** For how long a subscription is left out at which the pass failed, so that it holds up no other. */
const LEFT_OUT_MS = 60_000;

/** When the host's clock moved more than this since the last pass, it may have been set. */
const LARGEST_STEP_MS = 2 * 60_000;

/** For how long, at most, the pass waits until the host's clock was compared with the chain's. */
const COMPARED_WITHIN_MS = 30_000;

/**
 * Makes the pass that stores the ends of access which depend on dates alone (events#access-ending-by-date).
 * The pass never asks the chain, and does not wait for other passes at the subscription.
 */
export function createAccessPass(service: Service, clocks: ClockOfPasses): () => Promise<void> {
  const isClockTrusted = createClockTrust(service, clocks);
  const failed = new Set<string>();
  let failedSince = service.clock.now();

  return async () => {
    if (!isClockTrusted()) return;
    const now = clocks.known.now();
    if (!isWithin(failedSince, LEFT_OUT_MS, now)) {
      failed.clear();
      failedSince = now;
    }
    const { ended, unreadable } = await service.store.listAccessEnds(now, BATCH + failed.size);
    for (const { id, error } of unreadable) {
      if (!failed.has(id)) logUnreadable(service, id, error);
      failed.add(id);
    }
    const claimedBefore = plus(now, LEASE_MS - LEFT_TO_CLAIM_MS);
    const batch = ended
      .filter(
        ({ subscription: { id, wakeAt } }) => !failed.has(id) && (wakeAt === null || wakeAt <= claimedBefore),
      )
      .map((one) => new SubscriptionChanges(service, one, one.transfer));
    const applied = isolateFailures(service, batch, (changes) => {
      applyAccessEnd(changes, now);
      // Its plan's end or its tier moved the date since it was stored.
      if (!changes.hasChanges) changes.apply({ kind: 'rescheduled' }, now);
    });
    const stored = await commitBatch(service, createCommitter(service), applied, null);
    for (const changes of batch) if (!stored.has(changes)) failed.add(changes.subscription.id);
  };
}

/**
 * Whether the clock of the passes may be trusted: after a start or a step of the host's clock, once that was
 * compared with the chain's, or the chain was silent for some time.
 */
function createClockTrust({ clock }: Service, clocks: ClockOfPasses): () => boolean {
  let lastAt: Date | null = null;
  let moved: { readonly at: Date; readonly reads: number } | null = null;

  return () => {
    const now = clock.now();
    const step = lastAt === null ? Infinity : Math.abs(now.getTime() - lastAt.getTime());
    lastAt = now;
    if (step > LARGEST_STEP_MS) moved = { at: now, reads: clocks.reads };
    if (moved !== null && (clocks.reads > moved.reads || !isWithin(moved.at, COMPARED_WITHIN_MS, now)))
      moved = null;
    return moved === null;
  };
}
