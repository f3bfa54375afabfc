import type { Prices } from '../ports/index.js';

/** The price source of a service that was given none. */
export const NO_PRICES: Prices = { usd: () => Promise.resolve(null) };
