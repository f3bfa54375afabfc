import type { Clock } from '@subrail/core/ports';

import type { TestClock } from './test-clock.js';

/** The turns of other work before a sleep moves time: far more than a call within this process takes. */
const TURNS = 100;

/**
 * The clock of an adapter whose calls may never be answered. A sleep lets the call that it limits end first,
 * and moves time to its own end only when nothing else happens.
 */
export function createPatientClock({ now, advance }: Pick<TestClock, 'now' | 'advance'>): Clock {
  return {
    now,
    async sleep(ms, signal) {
      const end = now().getTime() + ms;
      for (let turn = 0; turn < TURNS; turn++) {
        if (signal?.aborted === true) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
      const left = end - now().getTime();
      if (left > 0) advance(Math.ceil(left / 1000) * 1000);
    },
  };
}
