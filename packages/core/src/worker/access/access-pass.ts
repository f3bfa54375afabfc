import { createCommitter } from '../../commits/commit-changes.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { Service } from '../../service.js';
import { applyAccessEnd } from '../charges/apply-access-end.js';
import type { ClockOfPasses } from '../charges/clock-of-pass.js';
import { commitUnclaimed } from '../charges/commit-batch.js';
import { isolateFailures } from '../charges/isolate-failures.js';

/** How many ends of access are stored together. */
const BATCH = 200;

/** When the host's clock moved more than this since the last pass, it may have been set. */
const LARGEST_STEP_MS = 2 * 60_000;

/**
 * Makes the pass that stores the ends of access which depend on dates alone (events#access-ending-by-date). It never asks the
 * chain, and stores the end of a subscription also while another pass works on it.
 */
export function createAccessPass(service: Service, clocks: ClockOfPasses): () => Promise<void> {
  let lastPassAt: Date | null = null;

  return async () => {
    const hostTime = service.clock.now();
    const step = lastPassAt === null ? Infinity : Math.abs(hostTime.getTime() - lastPassAt.getTime());
    lastPassAt = hostTime;
    // The charge pass compares the clock with the chain's before the next pass.
    if (step > LARGEST_STEP_MS) return;
    const now = clocks.known.now();
    const committer = createCommitter(service);
    for (;;) {
      const ended = await service.store.listAccessEnds(now, BATCH);
      const found = ended.map((one) => new SubscriptionChanges(service, one, one.transfer));
      const read = isolateFailures(service, found, (changes) => {
        applyAccessEnd(changes, now);
        // Its plan's end or its tier moved the date since it was stored.
        if (!changes.hasChanges) changes.apply({ kind: 'rescheduled' }, now);
      });
      const stored = await commitUnclaimed(service, committer, read);
      if (ended.length < BATCH || stored.size === 0) return;
    }
  };
}
