import { describe, expect, it } from 'vitest';

import { addMoney, countAttempt, moneyWire, noMoney } from './money-sums.js';

type Counted = Parameters<typeof countAttempt>[1];

function counted(...attempts: readonly Partial<Counted>[]) {
  const sums = noMoney();
  for (const attempt of attempts)
    countAttempt(sums, { outcome: 'paid', amount: 5n, amountUsd: '1.00', retry: false, ...attempt });
  return sums;
}

const NOTHING = { count: 0, amount: '0' };
const NO_DOLLARS = { ...NOTHING, amount_usd: '0.00', unpriced: 0 };

// management#won-back-and-lost
describe('the sums of an overview', () => {
  it.each<[string, Partial<Counted>, object]>([
    ['a charge that paid', {}, { collected: { count: 1, amount: '5', amount_usd: '1.00', unpriced: 0 } }],
    [
      'one without a price',
      { amountUsd: null },
      { collected: { count: 1, amount: '5', amount_usd: '0.00', unpriced: 1 } },
    ],
    [
      'a retry that paid',
      { retry: true, amountUsd: '0.000001' },
      {
        collected: { count: 1, amount: '5', amount_usd: '0.000001', unpriced: 0 },
        won_back: { count: 1, amount: '5' },
      },
    ],
    ['a first charge that was rejected', { outcome: 'rejected' }, { failed: { count: 1, amount: '5' } }],
    ['not a retry that was rejected', { outcome: 'rejected', retry: true }, {}],
    ['nothing that was blocked', { outcome: 'blocked' }, {}],
    ['nothing that was skipped', { outcome: 'skipped' }, {}],
  ])('count %s', (_, attempt, expected) => {
    expect(moneyWire(counted(attempt))).toEqual({
      ...{ collected: NO_DOLLARS, failed: NOTHING, won_back: NOTHING, owed: NOTHING },
      ...expected,
    });
  });

  it('are exact above what a floating point number holds', () => {
    const most = { amount: 2n ** 64n - 1n, amountUsd: '99999999999999999999.999999' };
    const sums = counted(most, most);
    addMoney(sums, counted({ amount: 1n, amountUsd: '0.000003' }));
    expect(moneyWire(sums).collected).toEqual({
      ...{ count: 3, amount: (2n ** 65n - 1n).toString(), unpriced: 0 },
      amount_usd: '200000000000000000000.000001',
    });
  });
});
