// Tools for a development chain: its RPC, which airdrops SOL, a demo token, and what a wallet signs and sends.

export type { DevelopmentRpc } from './demo-project.js';
export { ensureMint, mintTo, sendTokens, tokenAccountOf, tokenBalanceOf, type DemoToken } from './token.js';
export { sendInstructions, sendTransaction, signMessage, signTransaction } from '@subrail/localnet';
