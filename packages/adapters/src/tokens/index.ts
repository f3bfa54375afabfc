export { createHttpTokens, type HttpTokensOptions } from './http-tokens.js';
export { readTokenList } from './token-list.js';
