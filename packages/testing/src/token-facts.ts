import type { BillingPorts } from '@subrail/core';

/** The test token: a dollar stablecoin, so that prices in dollars read like its amounts. */
export const TEST_TOKEN = { symbol: 'tUSD', name: 'Test dollar', decimals: 6 } as const;

/** The ports by which a service knows the name of the test token, and its price of one dollar. */
export function tokenPorts(mint: string): Required<Pick<BillingPorts, 'tokens' | 'prices'>> {
  const { symbol, name } = TEST_TOKEN;
  const tokens = [{ mint, symbol, name, logoUrl: null }];
  return {
    tokens: { list: async () => tokens },
    prices: { usd: async (found) => (found === mint ? '1' : null) },
  };
}

/** An amount of the test token in dollars, rounded to a cent. */
export function inDollars(amount: bigint): string {
  const cents = (amount + 5_000n) / 10_000n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}
