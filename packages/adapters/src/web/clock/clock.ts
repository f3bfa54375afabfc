import type { Clock } from '@subrail/core/ports';
import { MachineTime, type ClockSources } from './machine-time.js';

/** Platforms fire a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates the Clock port on the machine's time. A step of the clock, by more than a second against the time
 * that passed, shows once the chain's time agrees, or after a minute unless the chain contradicts it; a step
 * taken back before is forgotten. A smaller difference is followed at once, without going back. Sleeps do not
 * depend on the clock. It uses only `Date`, `performance` and `setTimeout`, so it runs on every platform.
 *
 * @param sources the times to go by instead of those of the platform
 *
 * @example
 * const clock = createClock();
 */
export function createClock(sources: Partial<ClockSources> = {}): Clock {
  const time = new MachineTime({
    wall: () => Date.now(),
    elapsed: () => performance.now(),
    ...sources,
  });
  return {
    now: () => new Date(time.shown()),
    elapsed: () => time.elapsed(),
    compare: (other) => time.compare(other.getTime()),
    needsComparison: () => time.needsComparison(),
    async sleep(ms, signal) {
      for (let left = Math.ceil(ms); left > 0 && signal?.aborted !== true; left -= LONGEST_TIMER_MS) {
        await sleepOnce(Math.min(left, LONGEST_TIMER_MS), signal);
      }
    },
  };
}

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
