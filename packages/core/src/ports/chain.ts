import type { Network } from '../contract/enums.js';
import type {
  AddressView,
  ChargeTarget,
  ChargeView,
  NamedMint,
  OwnedTokens,
  PlanView,
  Receipt,
  ReceiptQuery,
  SubscriberView,
} from './chain/views.js';
import type {
  BuildRequest,
  ChargeOrder,
  Inspection,
  HistoryQuery,
  SendOutcome,
  SignatureQuery,
  SignedPayment,
  SignedText,
  SimulatedRefusal,
  SignedTransaction,
  TextSignature,
  SubscriptionHistory,
  TransactionOutcome,
  UnsignedTransaction,
} from './chain/transactions.js';
import type { ChainHead, ChainResult, Genesis } from './chain/result.js';
import type { ChargerView, ServerStates } from './chain/condition.js';

export type * from './chain/condition.js';
export type * from './chain/result.js';
export type * from './chain/transactions.js';
export type * from './chain/views.js';

/**
 * Reads Solana, and builds, signs and sends transactions. Accounts, instructions and RPC calls stay inside
 * the adapter, which signs as the charger, with the signer of its configuration.
 *
 * A method that takes a batch returns one result per item, in the same order. When the chain does not answer,
 * a method returns a value that says so (`ChainResult`, `unknown`), and throws nothing.
 */
export interface Chain {
  readonly network: Network;
  /** The address of the charger: the key that signs charges and co-signs wallets' transactions. */
  readonly charger: string;

  /**
   * Reads which chain this is, once: later calls may be answered from memory. A chain that is not of
   * `network` is no error: the answer names its network.
   */
  readGenesis(): Promise<ChainResult<Genesis>>;
  /** Reads the chain's latest slot, block height and time. */
  head(): Promise<ChainResult<ChainHead>>;
  /** Reads what the charger has for fees, and how many charges it pays for. */
  readCharger(): Promise<ChainResult<ChargerView>>;
  /** Says how the servers of the chain have answered so far. Reads nothing. */
  servers(): ServerStates;
  /** Derives the address of the plan of this owner and number, whether or not it exists. */
  planAddress(owner: string, number: bigint): Promise<string>;
  /** Derives the address of this wallet's subscription to this plan, whether or not it exists. */
  subscriptionAddress(planAddress: string, wallet: string): Promise<string>;

  /** Reads a plan; null when there is none at the address. */
  readPlan(address: string): Promise<ChainResult<PlanView | null>>;
  /**
   * Reads many plans in as few calls as the chain allows, not always at one slot; null where there is none. A
   * caller that must know that a plan is gone reads at `finalized`.
   */
  readPlans(
    addresses: readonly string[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly ChainResult<PlanView | null>[]>;
  /** Reads a mint and how it calls its token; null when it does not exist. */
  readMint(mint: string): Promise<ChainResult<NamedMint | null>>;
  /** Reads the kind of an address, and the balance of the account there, if there is one. */
  readAddress(address: string): Promise<ChainResult<AddressView>>;
  /** Reads every token account of a wallet for a mint, also those that no charge is made from. */
  readTokensOf(wallet: string, mint: string): Promise<ChainResult<readonly OwnedTokens[]>>;
  /**
   * Lists the subscriptions to a plan at `finalized`, each with its wallet, without cancelled ones. Servers
   * may refuse such a read, because it costs them much.
   */
  readSubscribers(planAddress: string): Promise<ChainResult<readonly SubscriberView[]>>;
  /**
   * Reads every account that each charge depends on, in as few calls as the chain allows. A caller that must
   * know that an account is gone reads at `finalized`: the chain may still roll back a `confirmed` state.
   */
  readCharges(
    targets: readonly ChargeTarget[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly ChainResult<ChargeView>[]>;
  /**
   * Reads the history of a subscription's account: the payments that the charger signed, and when the account
   * was made. Unavailable when the history may lack a transaction since `since`, and while a long history is
   * not read to its end: a later call with the same `since` goes on with it.
   */
  readHistory(query: HistoryQuery): Promise<ChainResult<SubscriptionHistory>>;

  /**
   * Reads what a transaction in a confirmed block brought to a wallet, whoever sent it; null when no such
   * block has it, or none that is still in the history of the servers.
   */
  readReceipt(query: ReceiptQuery): Promise<ChainResult<Receipt | null>>;

  /** Builds a transaction for a wallet to sign. The caller has already checked that it is allowed. */
  build(request: BuildRequest): Promise<ChainResult<UnsignedTransaction>>;
  /** Returns a submitted transaction's signature (its fee payer's); null when unsigned or undecodable. */
  signatureOf(submitted: string): string | null;
  /**
   * Compares a submitted transaction with the built one, and verifies the wallet's signature. Wallets add
   * instructions before they sign: additions that only the wallet answers for may be accepted, and nothing
   * else. Does not read the chain.
   */
  inspect(submitted: string, built: string, wallet: string): Promise<Inspection>;
  /** Whether a signature (base58) is the wallet's, of a transaction built for it. Does not read the chain. */
  isSignatureOf(signature: string, built: string, wallet: string): Promise<boolean>;
  /**
   * Finds the wallet's valid signature of a text in the data of its app; null when there is none. A wallet
   * may sign the text in an envelope that names the text and no other signer. Does not read the chain.
   */
  readTextSignature(signed: SignedText): Promise<TextSignature | null>;
  /**
   * Reads the last block height at which a submitted transaction can land, whatever was built; null when it
   * can no longer land.
   */
  readLifetime(submitted: string): Promise<ChainResult<bigint | null>>;
  /** Adds the charger's signature to an inspected transaction. The result carries the given block height. */
  cosign(submitted: string, lastValidBlockHeight: bigint): Promise<SignedTransaction>;
  /** Runs a signed transaction (base64), unsent. Returns why the chain would refuse it, or null. */
  simulate(transaction: string): Promise<ChainResult<SimulatedRefusal | null>>;

  /**
   * Signs charges with one recent blockhash. Sends nothing. Charges of different subscriptions may share a
   * transaction, and then land or fail together: the caller sends it only once it has stored all of them. A
   * charge that would fail shares a transaction with no other.
   */
  signCharges(orders: readonly ChargeOrder[]): Promise<ChainResult<readonly SignedPayment[]>>;
  /** Sends signed transactions (base64). Sending one twice is harmless. */
  send(transactions: readonly string[]): Promise<readonly SendOutcome[]>;
  /** Looks up the outcome of each transaction by its signature. */
  resolve(queries: readonly SignatureQuery[]): Promise<readonly TransactionOutcome[]>;
}
