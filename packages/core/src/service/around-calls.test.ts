import { expect, it } from 'vitest';

import type { Store } from '../ports/index.js';
import { Semaphore } from '../ports/semaphore.js';
import { partialPort } from '../testing/partial-port.js';
import { aroundCalls } from './around-calls.js';

it('lets calls of a frozen port run a few at a time, and their failures pass', async () => {
  const began: number[] = [];
  const port = Object.freeze(
    partialPort<Store>({
      async claimDue(_now, limit) {
        began.push(limit);
        await new Promise((resolve) => setImmediate(resolve));
        if (limit === 1) throw new Error(`Call ${limit} failed.`);
        return { claimed: [], unreadable: [] };
      },
    }),
  );
  const places = new Semaphore(2);
  const store = aroundCalls(port, (_, call) => places.run(call));
  const results = Promise.allSettled([0, 1, 2].map((at) => store.claimDue(new Date(0), at, 0)));
  await Promise.resolve();
  expect(began).toEqual([0, 1]);
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(began).toEqual([0, 1, 2]);
});
