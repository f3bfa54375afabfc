import { expect, it } from 'vitest';
import type { Store } from '../../ports/index.js';
import { partialPort } from '../../testing/partial-port.js';
import { fewCalls } from './few-calls.js';

it('six calls of the store run at a time, and the others after them in their order', async () => {
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const store = fewCalls(
    Object.freeze(
      partialPort<Store>({
        async claimDue(_now, limit) {
          began.push(limit);
          await new Promise<void>((resolve) => ends.push(resolve));
          if (limit % 2 === 0) throw new Error(`Call ${limit} failed.`);
          return { claimed: [], unreadable: [] };
        },
      }),
    ),
  );
  const calls = Array.from({ length: 20 }, (_, at) => store.claimDue(new Date(0), at, 0));
  const results = Promise.allSettled(calls);
  for (let ended = 0; ended < 20; ended++) {
    expect(began).toEqual(Array.from({ length: Math.min(ended + 6, 20) }, (_, at) => at));
    ends[ended]?.();
    await calls[ended]?.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await results).map(({ status }) => status === 'fulfilled')).toEqual(
    Array.from({ length: 20 }, (_, at) => at % 2 === 1),
  );
});
