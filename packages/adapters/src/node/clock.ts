import type { Clock } from '@subrail/core/ports';

/** The longest delay of one timer: Node fires a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Creates the Clock port on the machine's time. Changing the machine's time does not change how long a sleep takes. */
export function createClock(): Clock {
  return {
    now: () => new Date(),
    async sleep(ms, signal) {
      const end = performance.now() + ms;
      for (let left = ms; left > 0 && signal?.aborted !== true; left = end - performance.now()) {
        await sleepOnce(Math.min(Math.ceil(left), LONGEST_TIMER_MS), signal);
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
