import type { Network } from '../contract/enums.js';
import type { ChargeTarget, ChargeView, MintView, PlanView } from './chain/views.js';
import type {
  BuildRequest,
  ChainRefusal,
  ChargeOrder,
  Inspection,
  SendOutcome,
  SignatureQuery,
  SignedTransaction,
  TransactionOutcome,
  UnsignedTransaction,
} from './chain/transactions.js';
import type { ChainHead, ChainResult } from './chain/result.js';

export type * from './chain/result.js';
export type * from './chain/transactions.js';
export type * from './chain/views.js';

/**
 * The chain in the domain's words. Accounts, instructions and RPC are the adapter's business. The adapter signs with a
 * signer that was given to it: the charger.
 *
 * A method that takes a batch returns one result per item, in the same order. A chain that does not answer is a value
 * (`ChainResult`, `unknown`), never an exception.
 */
export interface Chain {
  readonly network: Network;
  /** Address of the charger: the wallet that is allowed to pull payments and that co-signs transactions. */
  readonly charger: string;

  head(): Promise<ChainResult<ChainHead>>;
  /** Derives the address of the plan of this owner and number, whether or not it exists. */
  planAddress(owner: string, number: bigint): Promise<string>;
  /** Derives the address of this wallet's subscription to this plan, whether or not it exists. */
  subscriptionAddress(planAddress: string, wallet: string): Promise<string>;

  readPlan(address: string): Promise<ChainResult<PlanView | null>>;
  readMint(mint: string): Promise<ChainResult<MintView | null>>;
  /**
   * Reads every account that each charge depends on, in as few calls as the chain allows. `finalized` is for an account
   * that must be known to be gone: a `confirmed` read may still be rolled back.
   */
  readCharges(
    targets: readonly ChargeTarget[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly ChainResult<ChargeView>[]>;

  /**
   * Builds a transaction for a wallet to sign. It does not judge whether the transaction makes sense: the caller did.
   */
  build(request: BuildRequest): Promise<ChainResult<UnsignedTransaction>>;
  /**
   * Returns a submitted transaction's signature (its fee payer's), or null when it does not decode or is not signed.
   */
  signatureOf(submitted: string): string | null;
  /**
   * Compares a submitted transaction with the one that was built, and verifies the wallet's signature. Makes no call.
   */
  inspect(submitted: string, built: string, wallet: string): Promise<Inspection>;
  /** Adds the charger's signature to an inspected transaction. The result carries the given block height. */
  cosign(submitted: string, lastValidBlockHeight: bigint): Promise<SignedTransaction>;
  /** Runs a signed transaction without sending it. Returns why the chain would refuse it, or null when it would not. */
  simulate(wire: string): Promise<ChainResult<ChainRefusal | null>>;

  /** Signs charges with one recent blockhash. Sends nothing. */
  signCharges(orders: readonly ChargeOrder[]): Promise<ChainResult<readonly SignedTransaction[]>>;
  /** Sends signed transactions. Sending one twice is harmless. */
  send(wires: readonly string[]): Promise<readonly SendOutcome[]>;
  /** Looks up the outcome of each transaction by its signature. */
  resolve(queries: readonly SignatureQuery[]): Promise<readonly TransactionOutcome[]>;
}
