export { createSolanaChain } from './chain.js';
/** The Subscriptions program: its address, the addresses of its accounts, their layouts, and its instructions. */
export * as program from './program/index.js';
export type { RpcSource } from './rpc/sources.js';
export { NotLanded, sendSigned } from './send/send-signed.js';
export { signerFromSecret } from './sign/signers.js';
