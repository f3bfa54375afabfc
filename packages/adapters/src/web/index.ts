export { createChainClock } from './clock/chain-clock.js';
export { createClock } from './clock/clock.js';
export { createWebCrypto } from './crypto/crypto.js';
export { createWebRandom } from './crypto/random.js';
export { createFetchSender } from './fetch/fetch-sender.js';
export { createHttpPrices, type HttpPricesOptions } from './prices/http-prices.js';
export { createStaticPrices } from './prices/static-prices.js';
export { createHttpTokens } from './tokens/http-tokens.js';
export { readTokenList } from './tokens/token-list.js';
