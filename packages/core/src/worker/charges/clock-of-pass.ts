import type { Clock } from '../../ports/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';

/** By how much the clocks of the host and of the chain may differ before the host's is not used for dates. */
const LARGEST_DIFFERENCE_MS = 2 * 60_000;

/**
 * The clock by which a pass dates what it does: the host's, or one set to the chain's time when the two differ by more than
 * two minutes. With a host clock that is wrong for a moment, a pass would else schedule the next try by that error
 * (billing-periods#waiting-for-the-chain-clock).
 */
export async function clockOfPass({ chain, clock, logger }: Service): Promise<Clock> {
  const head = await chain.head();
  const now = clock.now();
  const behindMs = head.ok ? head.value.time.getTime() - now.getTime() : 0;
  if (Math.abs(behindMs) <= LARGEST_DIFFERENCE_MS) return clock;
  // The chain adapter warns of the wrong clock, once.
  logger.debug(
    { host_time: now.toISOString(), chain_time: plus(now, behindMs).toISOString() },
    'The clock of this machine and the time of the chain differ by more than two minutes. The charge pass follows the chain.',
  );
  return { now: () => plus(clock.now(), behindMs), sleep: (ms, signal) => clock.sleep(ms, signal) };
}
