import type { Clock } from '@subrail/core/ports';

/** The longest delay of one timer: platforms fire a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Creates the Clock port on the machine's time. When the machine's time is set back, the clock goes on at half pace until
 * the machine has caught up with it, so that it never goes back and every deadline still comes. Changing the machine's
 * time does not change how long a sleep takes. It uses only `Date`, `performance` and `setTimeout`, so it runs on every
 * platform.
 *
 * @example
 * const clock = createClock();
 */
export function createClock(): Clock {
  let shown = -Infinity;
  let shownAt = performance.now();
  return {
    now() {
      const at = performance.now();
      // In a Cloudflare Worker performance.now() is the machine's time too, so it can be set back.
      const passed = Math.max(0, at - shownAt);
      shown = Math.max(Date.now(), shown + passed / 2);
      shownAt = at;
      return new Date(shown);
    },
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
