import { expect, it } from 'vitest';

import { receiptNumber } from './receipt-number.js';

// receipts#number-of-a-receipt
it.each([
  [1, null, '000001'],
  [42, 'NIGHT', 'NIGHT-000042'],
  [999_999, 'A-1', 'A-1-999999'],
  [1_000_000, 'NIGHT', 'NIGHT-1000000'],
  [null, null, null],
])('writes the number %s with the prefix %s as %s', (number, prefix, written) => {
  expect(receiptNumber({ receiptNumber: number, receiptPrefix: prefix })).toBe(written);
});
