import type { Clock } from '@subrail/core/ports';

/** Smaller differences come from the resolution of the chain's time; larger ones mean that this time was moved. */
const AHEAD_MS = 2_000;

/** The chain's time is older by up to this where a finalized state is read. */
const BEHIND_MS = 30_000;

/**
 * Creates a Clock port that runs at the pace of `clock`, from the chain's time as it was read last. It is for development chains, whose
 * time is moved. Where you open a service, give it as `clock`, and the machine's clock as `wallClock`.
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
      // Which of the two clocks was moved is no question.
      return 0;
    },
    needsComparison: () => true,
  };
}
