import type { Clock } from '@subrail/core/ports';

/** The longest delay of one timer: platforms fire a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates the Clock port on the machine's time. Changing the machine's time does not change how long a sleep takes. It
 * uses only `Date` and `setTimeout`, so it runs on every platform.
 *
 * @example
 * const clock = createClock();
 */
export function createClock(): Clock {
  return {
    now: () => new Date(),
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
