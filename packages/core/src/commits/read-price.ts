import type { Service } from '../service.js';

/** How long the read of a price may take. */
const PRICE_MS = 1_000;

/**
 * Reads the price of one whole token in US dollars, or null when none comes in time: a price that is slow or fails never holds up
 * a charge or a request (attempts#amount-in-us-dollars).
 */
export async function readPrice(service: Service, mint: string): Promise<string | null> {
  const stopSleeping = new AbortController();
  try {
    const timeout = service.clock.sleep(PRICE_MS, stopSleeping.signal).then(() => null);
    return await Promise.race([service.prices.usd(mint), timeout]);
  } catch (error) {
    service.logger.warn(
      { mint, err: error },
      'The price of a token could not be read. Until it can, its amounts have no amount_usd.',
    );
    return null;
  } finally {
    stopSleeping.abort();
  }
}
