import type { Clock } from '@subrail/core/ports';

/** The longest wait one timer can hold: past it Node's timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The Clock port on the machine's own time. A sleep is measured by a clock that setting the machine's time does not move. */
export function createClock(): Clock {
  return {
    now: () => new Date(),
    async sleep(ms, signal) {
      const end = performance.now() + ms;
      for (let left = ms; left > 0 && signal?.aborted !== true; left = end - performance.now()) {
        await oneTimer(Math.min(Math.ceil(left), LONGEST_TIMER_MS), signal);
      }
    },
  };
}

function oneTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
