import type { Clock } from '@subrail/core/ports';

/** Smaller differences come from the resolution of the chain's time; larger ones mean that it was moved. */
const AHEAD_MS = 2_000;

/** A finalized state is older by up to this. */
const BEHIND_MS = 30_000;

/**
 * Creates a Clock port that follows the time of a development chain, at the pace of `clock`. Give it as
 * `clock`, and the clock of the machine as `wallClock`.
 *
 * @example
 * const machine = createClock();
 * const ports = { clock: createChainClock(machine), wallClock: machine };
 */
export function createChainClock(clock: Clock): Clock {
  let offsetMs = 0;
  const now = () => new Date(clock.now().getTime() + offsetMs);
  return {
    now,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    compare(time) {
      const aheadMs = time.getTime() - now().getTime();
      if (aheadMs > AHEAD_MS || aheadMs < -BEHIND_MS) offsetMs += aheadMs;
      // Neither clock is wrong.
      return 0;
    },
    needsComparison: () => true,
  };
}
