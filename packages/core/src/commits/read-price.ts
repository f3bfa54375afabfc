import type { Service } from '../service.js';
import { within } from '../service/within.js';

/** How long the read of a price may take. */
const PRICE_MS = 1_000;

/**
 * Reads the price of one whole token in US dollars, or null when none comes in time: a slow price never holds
 * up a charge or a request (attempts#amount-in-us-dollars).
 */
export async function readPrice(service: Service, mint: string): Promise<string | null> {
  try {
    const price = await within(service.clock, PRICE_MS, service.prices.usd(mint));
    return price === 'too_late' ? null : price;
  } catch (error) {
    service.logger.warn(
      { mint, err: error },
      'The price of a token could not be read. Until it can, its amounts have no amount_usd.',
    );
    return null;
  }
}
