import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { displayAmount, usdAmount, usdMillionths, usdText } from './money.js';

// plans#display-amount
describe('amount_display is exact, without trailing zeros or exponent', () => {
  it.each([
    [5_000_000n, 6, '5'],
    [5_250_000n, 6, '5.25'],
    [1n, 6, '0.000001'],
    [0n, 6, '0'],
    [7n, 0, '7'],
    [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
  ])('%s at %s decimals: %s', (amount, decimals, expected) => {
    expect(displayAmount(amount, decimals)).toBe(expected);
  });

  it('reads back as the amount it came from', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.nat(18), (amount, decimals) => {
        const [whole = '0', fraction = ''] = displayAmount(amount, decimals).split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount);
      }),
    );
  });
});

// attempts#amount-in-us-dollars
describe('amount_usd is price x amount, half-up to 6 decimals, trimmed down to 2', () => {
  it.each([
    ['1', 5_000_000n, 6, '5.00'],
    ['0.9998', 5_000_000n, 6, '4.999'],
    ['1.0000005', 1_000_000n, 6, '1.000001'],
    ['1.0000004', 1_000_000n, 6, '1.00'],
    ['143.27', 1n, 9, '0.00'],
    ['143.27', 12_500_000n, 9, '1.790875'],
    ['0.1', 18_446_744_073_709_551_615n, 0, '1844674407370955161.50'],
  ])('%s x %s at %s decimals: %s', (price, amount, decimals, expected) => {
    expect(usdAmount(price, amount, decimals)).toBe(expected);
  });

  it.each([null, '', '-1', '1e3', 'NaN', '1.'])('is null without a price (%s)', (price) => {
    expect(usdAmount(price, 1n, 6)).toBeNull();
  });
});

describe('dollars', () => {
  it('are read back as they were written, and nothing else is', () => {
    for (const text of ['0.00', '5.00', '4.999', '0.000001', '1844674407370955161.50'])
      expect(usdText(usdMillionths(text) ?? -1n)).toBe(text);
    for (const text of ['', '-1.00', '1e3', '0.0000001', 'many']) expect(usdMillionths(text)).toBeNull();
  });
});
