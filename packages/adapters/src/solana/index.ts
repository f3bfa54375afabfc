export { createSolanaChain } from './chain.js';
/**
 * The Subscriptions program: its address, its accounts with their addresses and layouts, and its
 * instructions.
 */
export * as program from './program/index.js';
export type { RpcSource } from './rpc/sources.js';
export { NotLanded, sendSigned } from './send/send-signed.js';
export { signerFromSecret } from './sign/signers.js';
