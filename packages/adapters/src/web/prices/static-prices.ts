import type { Prices } from '@subrail/core/ports';
import { plainDecimal } from './decimal.js';

/**
 * Creates a price source of fixed prices, such as 1 dollar for a stablecoin.
 *
 * @param usd the price of one whole token in US dollars by mint, each a decimal text above zero
 * @param otherwise the source that is asked for every other token; without one they have no price
 * @throws TypeError that names the mint whose price is no such text
 * @example
 * const prices = createStaticPrices({ EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: '1.00' });
 */
export function createStaticPrices(usd: Readonly<Record<string, string>>, otherwise?: Prices): Prices {
  const prices = new Map(
    Object.entries(usd).map(([mint, price]) => {
      const plain = typeof price === 'string' ? plainDecimal(price) : null;
      if (plain === null)
        throw new TypeError(`The price of ${mint} must be a decimal text above zero, such as "1.00".`);
      return [mint, plain] as const;
    }),
  );
  return { usd: async (mint) => prices.get(mint) ?? (await otherwise?.usd(mint)) ?? null };
}
