// The chain
export { createLocalnet, Localnet, readChainTime, restoreLocalnet } from './localnet.js';
export type { RestoreOptions, SentTransaction } from './localnet.js';
export type { LocalnetOptions } from './options.js';
export type { TransactionResult } from './transaction-result.js';
export type { Change, ChangeListener } from './change.js';
export type { History, LandedTransaction } from './history.js';
export { UnreadableChain } from './snapshot/chain-file.js';

// JSON-RPC
export { serveLocalnet, type ServedLocalnet, type ServeOptions } from './rpc/serve.js';
export { localnetRpc, localnetRpcSubscriptions, localnetTransport } from './rpc/transport.js';
export { dispatch, type RpcResponse } from './rpc/dispatch.js';

// What a wallet signs and sends
export { sendInstructions, sendTransaction, signMessage, signTransaction } from './wallet.js';

// Programs
export { fetchProgram, saveProgram, NotAProgram, type FetchedProgram } from './fetch-program.js';
export { InstructionFailure } from './runtime/program.js';
export type {
  AccountMeta,
  AccountState,
  InstructionError,
  InvokeContext,
  Program,
  RuntimeClock,
  RuntimeInstruction,
} from './runtime/program.js';

// Transactions and what they did
export type { Transaction } from './runtime/transaction.js';
export { MalformedTransaction } from './runtime/wire-reader.js';
export type { TransactionError } from './runtime/transaction-error.js';
export type { Processed } from './runtime/ledger.js';
export type { Balances, TokenBalance } from './runtime/balances.js';
export type { InnerInstruction, ReturnData } from './runtime/native-runtime.js';
export type { TokenAccountUpdate } from './runtime/token-layout.js';
