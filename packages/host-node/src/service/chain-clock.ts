import type { Chain, Clock } from '@subrail/core/ports';

/** Smaller differences come from the resolution of the chain's time; larger ones mean that this time was moved. */
const TOLERANCE_MS = 2_000;

/** A clock that follows the time of a development chain. */
export interface ChainClock extends Clock {
  /** Reads the chain's time and adopts it if the two differ. If the chain does not answer, nothing changes. */
  sync(chain: Pick<Chain, 'head'>): Promise<void>;
}

/** A clock that runs at the pace of `clock`, starting from the chain's time as last read. */
export function createChainClock(clock: Clock): ChainClock {
  let offsetMs = 0;
  const now = () => new Date(clock.now().getTime() + offsetMs);
  return {
    now,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    async sync(chain) {
      const head = await chain.head();
      if (!head.ok) return;
      const differenceMs = head.value.time.getTime() - now().getTime();
      if (Math.abs(differenceMs) > TOLERANCE_MS) offsetMs += differenceMs;
    },
  };
}
