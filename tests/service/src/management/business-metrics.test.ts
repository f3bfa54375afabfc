import { expect, it } from 'vitest';

import { MINUTE, PRICE } from '@subrail/test-world';
import { playFiftyDays } from './fifty-days.js';

// alerts#metrics
it('metrics have what projects earn, read once a minute at most', async () => {
  const { world } = await playFiftyDays();
  let reads = 0;
  const { billing } = world.host({
    ...world.store,
    readFigures: async (...span) => {
      reads += 1;
      return world.store.readFigures(...span);
    },
  });
  const { business } = await billing.metrics();
  expect(business).toEqual({
    tokens: [
      {
        mint: world.token.mint,
        symbol: null,
        collected: { today: { display: '0', usd: '0.00' }, '30_days': { display: '10', usd: '20.00' } },
        mrr: { display: '15.21875', usd: '30.4375' },
      },
    ],
    unpaid: [
      { span: 'today', outcome: 'rejected', reason: 'insufficient_balance', count: 1 },
      { span: '30_days', outcome: 'rejected', reason: 'insufficient_balance', count: 6 },
    ],
    active: 3,
    recurring: 3,
  });
  expect(reads).toBe(2);
  await world.subscribe(await world.wallet(PRICE));
  world.advance(MINUTE - 1000);
  await Promise.all([billing.metrics(), billing.metrics()]);
  expect([reads, (await billing.metrics()).business]).toEqual([2, business]);
  world.advance(MINUTE);
  expect((await billing.metrics()).business).toMatchObject({ active: 4 });

  const failing = world.host({ ...world.store, readFigures: () => Promise.reject(new Error('a fault')) });
  expect((await failing.billing.metrics()).business).toBe(null);
  const many = world.host({
    ...world.store,
    listProjects: async () => Array.from({ length: 101 }, () => ({}) as never),
  });
  expect((await many.billing.metrics()).business).toBe(null);
});
