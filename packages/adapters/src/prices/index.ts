export { createHttpPrices, type HttpPricesOptions } from './http-prices.js';
export { createStaticPrices } from './static-prices.js';
