// Tools for a development chain: its RPC, which airdrops SOL, and a demo token.

export type { DevelopmentRpc } from './demo-project.js';
export { ensureMint, mintTo, sendTokens, tokenAccountOf, tokenBalanceOf, type DemoToken } from './token.js';
