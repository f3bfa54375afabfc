import type { Chain, Clock } from '@subrail/core/ports';

/** Differences up to this are the chain's grain, not somebody moving its time. */
const GRAIN_MS = 2_000;

/** A clock that keeps to a development chain whose time is moved from outside. */
export interface FollowingClock extends Clock {
  /** Looks at the chain and takes over its time when the two have come apart. A silent chain changes nothing. */
  follow(chain: Pick<Chain, 'head'>): Promise<void>;
}

/** Runs at the pace of `clock`, and from wherever the chain was last seen to stand. */
export function createFollowingClock(clock: Clock): FollowingClock {
  let aheadMs = 0;
  const now = () => new Date(clock.now().getTime() + aheadMs);
  return {
    now,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    async follow(chain) {
      const head = await chain.head();
      if (!head.ok) return;
      const apart = head.value.time.getTime() - now().getTime();
      if (Math.abs(apart) > GRAIN_MS) aheadMs += apart;
    },
  };
}
