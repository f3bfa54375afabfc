// The chain
export { createLocalnet, Localnet, readChainTime, restoreLocalnet } from './localnet.js';
export type { RestoreOptions } from './localnet.js';
export type { LocalnetOptions } from './options.js';
export type { TransactionResult } from './transaction-result.js';
export type { ChangeListener } from './change.js';
export { UnreadableChain } from './snapshot/chain-file.js';

// JSON-RPC
export { serveLocalnet, type ServedLocalnet } from './rpc/serve.js';
export { localnetRpc, localnetRpcSubscriptions, localnetTransport } from './rpc/transport.js';

// What a wallet signs and sends
export { sendInstructions, sendTransaction, signMessage, signTransaction } from './wallet.js';
export { createMint, mintTo, sendTokens, tokenAccountOf, tokenBalanceOf, type Token } from './token.js';

// Programs
export { fetchProgram, saveProgram, NotAProgram, type FetchedProgram } from './fetch-program.js';
export { InstructionFailure, type AccountState, type Program } from './runtime/program.js';
