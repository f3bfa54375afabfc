// What a development chain needs and a wallet does on one: RPC with airdrops, a demo token, signing and sending.

export type { DevelopmentRpc } from './demo-project.js';
export { ensureMint, mintTo, sendTokens, tokenAccountOf, tokenBalanceOf, type DemoToken } from './token.js';
export { sendInstructions, sendTransaction, signMessage, signTransaction } from './wallet.js';
