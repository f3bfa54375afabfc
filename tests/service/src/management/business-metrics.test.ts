import { expect, it } from 'vitest';

import { MINUTE, PRICE } from '@subrail/test-world';
import { playFiftyDays } from './fifty-days.js';

// alerts#metrics
it('metrics have what projects earn, read once a minute at most', async () => {
  const { world } = await playFiftyDays();
  const reads = { all: 0, before: 0 };
  const { billing } = world.host({
    ...world.store,
    readFigures: async (...span) => {
      reads.all += 1;
      return world.store.readFigures(...span);
    },
    readFiguresBefore: async (...day) => {
      reads.before += 1;
      return world.store.readFiguresBefore(...day);
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
  // Those of thirty days, and those of today once more.
  const once = { all: 2, before: 1 };
  expect(reads).toEqual(once);
  await world.subscribe(await world.wallet(PRICE));
  world.advance(MINUTE - 1000);
  await Promise.all([billing.metrics(), billing.metrics()]);
  expect([reads, (await billing.metrics()).business]).toEqual([once, business]);
  world.advance(MINUTE);
  expect((await billing.metrics()).business).toMatchObject({ active: 4 });

  const failing = world.host({ ...world.store, readFigures: () => Promise.reject(new Error('a fault')) });
  expect((await failing.billing.metrics()).business).toBe(null);

  const elsewhere = await world.billing.projects.create({ name: 'Elsewhere' });
  let damaged = [elsewhere.id];
  const beside = world.host({
    ...world.store,
    readFigures: (id, ...span) =>
      damaged.includes(id)
        ? Promise.reject(new Error('a damaged row'))
        : world.store.readFigures(id, ...span),
  });
  const ofOthers = (await world.billing.metrics()).business;
  const warnings = () =>
    world.log.entries.filter(({ facts }) => 'project' in facts && facts.project === elsewhere.id);
  for (const after of [0, MINUTE, MINUTE]) {
    world.advance(after);
    expect((await beside.billing.metrics()).business).toEqual(ofOthers);
  }
  expect(warnings()).toHaveLength(1);
  damaged = [];
  world.advance(MINUTE);
  await beside.billing.metrics();
  damaged = [elsewhere.id];
  world.advance(MINUTE);
  await beside.billing.metrics();
  expect(warnings()).toHaveLength(2);

  const many = world.host({
    ...world.store,
    listProjects: async () => Array.from({ length: 101 }, () => ({}) as never),
  });
  expect((await many.billing.metrics()).business).toBe(null);
});
