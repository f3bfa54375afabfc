import { expect, it } from 'vitest';

import { anId, MADE_AT } from '../testing/records.js';
import { monthlyRevenue, worthInMillionths } from './recurring-revenue.js';

// figures#monthly-recurring-revenue
it.each([
  [10_000_000n, 720, 1, 10_145_833n],
  [10_000_000n, 720, 3, 30_437_500n],
  [1n, 1, 1, 731n],
  [1n, 8_766, 1, 0n],
  [1n, 8_766, 6, 1n],
  [2n ** 64n - 1n, 24, 1_000_000, 561_472_772_743_534_477_281_562_500n],
])(
  'a price of %s every %s hours is, for %s subscriptions, %s in a month',
  (amount, periodHours, count, expected) => {
    expect(monthlyRevenue({ amount, periodHours }, count)).toBe(expected);
  },
);

// figures#monthly-recurring-revenue
it.each([
  [5_000_000n, '10.00', 20_291_667n, 40_583_334n],
  [3n, '0.000001', 1n, 0n],
  [2n, '0.000001', 1n, 1n],
  [1n, 'no price', 1n, null],
])('an amount of %s for %s dollars makes %s worth %s millionths', (amount, amountUsd, worth, expected) => {
  const price = { at: MADE_AT, attemptId: anId('att'), amount, amountUsd };
  expect(worthInMillionths(worth, price)).toBe(expected);
  expect(worthInMillionths(worth, null)).toBeNull();
});
