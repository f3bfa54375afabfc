import type { Clock } from '@subrail/core/ports';
import type { Localnet } from '@subrail/localnet';

export interface TestClockOptions {
  /** How far the service's clock is ahead of the chain's. */
  readonly skewMs?: number;
  /** Every sleep moves time by at least this much, so that a long wait takes few polls. */
  readonly shortestSleepMs?: number;
}

/** One clock for the chain and the service. A sleep of the service moves it, so no test ever waits. */
export interface TestClock extends Clock {
  /** Moves the chain and the service together, in whole seconds. */
  readonly advance: (ms: number) => void;
  /** Runs `act`, during which sleeps do not move time, for work that waits for something outside of the test world. */
  readonly whileFrozen: <T>(act: () => Promise<T>) => Promise<T>;
}

export function createTestClock(
  localnet: Localnet,
  { skewMs = 0, shortestSleepMs = 0 }: TestClockOptions = {},
): TestClock {
  let isFrozen = false;
  const advance = (ms: number) => localnet.advance({ seconds: Math.round(ms / 1000) });
  return {
    now: () => new Date(localnet.now().getTime() + skewMs),
    async sleep(ms, signal) {
      // Lets other work run first: it may abort this sleep.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true && !isFrozen) advance(Math.max(shortestSleepMs, ms));
    },
    advance,
    async whileFrozen(act) {
      isFrozen = true;
      try {
        return await act();
      } finally {
        isFrozen = false;
      }
    },
  };
}
