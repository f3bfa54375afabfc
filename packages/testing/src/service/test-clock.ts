import type { Clock } from '@subrail/core/ports';
import type { Localnet } from '@subrail/localnet';

/** The difference of the service's clock from the chain's, and the moves of sleeps. */
export interface TestClockOptions {
  /** The lead of the service's clock over the chain's. */
  readonly skewMs?: number;
  /** Every sleep moves time by at least this much, so that a long wait takes few polls. */
  readonly shortestSleepMs?: number;
  /**
   * Resolves once nothing is under way that takes real time, such as a call of a store on a server. A sleep
   * waits for it before it moves time, so that time stands still during such a call as it does during one of
   * a store in memory.
   */
  readonly idle?: () => Promise<void>;
}

/** The clock of the chain and the service. A sleep of the service moves it, so that no test ever waits. */
export interface TestClock extends Clock {
  /** Moves the chain and the service together, in whole seconds. */
  readonly advance: (ms: number) => void;
  /** Runs `act` while sleeps move no time, for work that waits for something outside, such as a server. */
  readonly whileFrozen: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Creates the clock of a service over a local chain: both show the same time, apart from the skew. */
export function createTestClock(
  localnet: Localnet,
  { skewMs = 0, shortestSleepMs = 0, idle }: TestClockOptions = {},
): TestClock {
  let isFrozen = false;
  const advance = (ms: number) => localnet.advance({ seconds: Math.round(ms / 1000) });
  return {
    now: () => new Date(localnet.now().getTime() + skewMs),
    async sleep(ms, signal) {
      const end = localnet.now().getTime() + Math.max(shortestSleepMs, ms);
      // Lets other work run first: it may abort this sleep, or sleep at the same time.
      await new Promise((resolve) => setImmediate(resolve));
      await idle?.();
      const left = end - localnet.now().getTime();
      if (left > 0 && signal?.aborted !== true && !isFrozen) advance(left);
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
