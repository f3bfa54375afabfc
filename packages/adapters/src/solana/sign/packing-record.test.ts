import { describe, expect, it } from 'vitest';
import { PackingRecord } from './packing-record.js';

// alerts#charger
describe('the fee of one charge', () => {
  it('is that of a transaction until charges were signed', () => {
    expect(new PackingRecord().feeOfOne(5_000n)).toBe(5_000n);
  });

  it.each([
    ['charges that shared transactions', [[200, 50]], 1_250n],
    ['charges of which some shared one', [[6, 4]], 3_334n],
    ['charges of which none did', [[200, 200]], 5_000n],
    [
      'more recent charges more than those before',
      [
        [1_001, 1_001],
        [4_000, 1_000],
      ],
      1_669n,
    ],
  ] as const)('is the average of %s', (_, signed, fee) => {
    const record = new PackingRecord();
    for (const [charges, transactions] of signed) record.add(charges, transactions);
    expect(record.feeOfOne(5_000n)).toBe(fee);
  });
});
