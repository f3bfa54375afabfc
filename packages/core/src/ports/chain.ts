import type { Network } from '../contract/enums.js';

/** Why the chain could not be asked. `transport`: no answer, or not in time. `rpc`: an error with its number. */
export type ChainUnavailable =
  { readonly kind: 'transport' } | { readonly kind: 'rpc'; readonly code: number };

/** What the chain answered, or why it did not. Never an exception: a silent chain is an ordinary input. */
export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly unavailable: ChainUnavailable };

/**
 * Why the chain refused a transaction. `program`: a `Custom` code of the instruction that moves the money or of what it
 * invoked. `chain`: any other error, with its number.
 */
export type ChainRefusal = { readonly kind: 'program' | 'chain'; readonly code: number };

/** Where the chain stands. */
export interface ChainHead {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  /** The chain's own clock, whole seconds; it judges what is due (billing-periods#chain-clock-decides-due). */
  readonly time: Date;
}

/** A plan as it stands on chain. */
export interface PlanView {
  readonly owner: string;
  readonly mint: string;
  readonly amount: bigint;
  readonly periodHours: number;
  readonly createdAt: Date;
  readonly endsAt: Date | null;
  readonly sunset: boolean;
  readonly destinations: readonly string[];
  readonly pullers: readonly string[];
}

/** A subscription account as it stands on chain. */
export interface SubscriptionView {
  /** The generation of the authority it was made under (`init_id`). */
  readonly generation: bigint;
  /** Creation time of the plan it was made for. */
  readonly planCreatedAt: Date;
  readonly payer: string;
  readonly amount: bigint;
  readonly periodHours: number;
  /** The recorded period; stale until a transfer lands in a later one (program#period-arithmetic). */
  readonly periodStart: Date;
  readonly pulled: bigint;
  readonly expiresAt: Date | null;
}

/** The wallet's own token account. */
export interface SourceView {
  readonly owner: string;
  readonly balance: bigint;
  readonly frozen: boolean;
  /** Who may spend from it besides the owner, and how much. */
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
}

/** The token account that is paid. */
export interface ReceiverView {
  readonly address: string;
  readonly owner: string;
  readonly frozen: boolean;
  readonly needsMemo: boolean;
  readonly confidentialOnly: boolean;
}

export interface MintView {
  readonly tokenProgram: string;
  readonly decimals: number;
  readonly paused: boolean;
  /** The program every transfer runs, or null when there is none. */
  readonly hookProgram: string | null;
}

/** Everything a charge depends on, read together at one slot. Null stands for an account that does not exist. */
export interface ChargeView {
  readonly slot: bigint;
  readonly time: Date;
  readonly plan: PlanView | null;
  readonly subscription: SubscriptionView | null;
  /** The wallet's authority for the token: its address, and its generation when it is open. */
  readonly authority: { readonly address: string; readonly generation: bigint | null };
  readonly source: SourceView | null;
  /** The account of the receiving wallet, else of the plan's owner when that is allowed to receive; null without either. */
  readonly receiver: ReceiverView | null;
  readonly mint: MintView | null;
}

/** The plan as a transaction must name it. */
export interface PlanOnChain {
  readonly address: string;
  readonly owner: string;
  readonly number: bigint;
  readonly createdAt: Date;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly amount: bigint;
  readonly periodHours: number;
  /** The wallet that is paid. */
  readonly receiver: string;
}

/** One wallet's subscription to one plan. */
export interface ChargeTarget {
  readonly plan: PlanOnChain;
  readonly wallet: string;
}

/** A charge to be signed by the charger: `amount` to the account `view.receiver` named. */
export interface ChargeOrder extends ChargeTarget {
  readonly amount: bigint;
  readonly receiverAccount: string;
}

/** A transaction of ours, signed and not yet sent. */
export interface SignedTransaction {
  /** Base58. */
  readonly signature: string;
  /** Base64. */
  readonly wire: string;
  readonly lastValidBlockHeight: bigint;
}

/**
 * What a wallet is to sign. Recipes are those of program#first-payment-transaction:
 * - `subscribe`: a new subscription with its first payment; the authority is opened or re-approved as needed;
 * - `comeback`: only the payment of the current period, over a subscription that stands (coming-back#who-can-come-back);
 * - `cancel`; `resume` naming the expiry that was seen;
 * - `close` by `revoke`, `cancel_and_revoke` or `revoke_abandoned` (cancel-resume-close#how-each-ending-closes).
 */
export type BuildRequest =
  | ((ChargeTarget & { readonly view: ChargeView }) & { readonly kind: 'subscribe' | 'comeback' })
  | (ChargeTarget & { readonly kind: 'cancel' })
  | (ChargeTarget & { readonly kind: 'resume'; readonly expiresAt: Date })
  | (ChargeTarget & {
      readonly kind: 'close';
      readonly by: 'revoke' | 'cancel_and_revoke' | 'revoke_abandoned';
      /** Who paid the subscription's rent and gets it back. */
      readonly payer: string;
    })
  | {
      readonly kind: 'create_plan';
      readonly owner: string;
      readonly number: bigint;
      readonly mint: string;
      readonly tokenProgram: string;
      readonly amount: bigint;
      readonly periodHours: number;
      readonly endsAt: Date | null;
      readonly destinations: readonly string[];
      readonly pullers: readonly string[];
      readonly metadata: string;
    };

/** What signing costs the wallet beside the price, in lamports (checkout#costs-of-a-checkout). */
export interface Costs {
  readonly rent: {
    readonly subscription: bigint;
    /** Null when no authority has to be opened. */
    readonly authority: bigint | null;
    readonly total: bigint;
  };
  readonly fee: {
    readonly signatures: number;
    readonly perSignature: bigint;
    readonly priority: bigint;
    readonly total: bigint;
  };
  readonly total: bigint;
}

/** An unsigned transaction for a wallet. */
export interface UnsignedTransaction {
  /** Base64. */
  readonly transaction: string;
  readonly lastValidBlockHeight: bigint;
  /** About when that height passes; the height is the truth. */
  readonly expiresAt: Date;
  readonly costs: Costs;
}

/** What a submitted transaction turned out to be. `wallet_unsigned`: its signature is missing or wrong. */
export type Inspection =
  | { readonly kind: 'ours'; /** Base58. */ readonly signature: string }
  | { readonly kind: 'undecodable' | 'other_message' | 'wallet_unsigned' | 'other_wallet' };

/** What came of handing a transaction to the chain. Only `refused` says that it cannot land; all else is to be looked up. */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly refusal: ChainRefusal }
  | { readonly kind: 'unknown' };

/**
 * What became of a transaction, by its signature. `waiting`: it may still land. `absent`: its height passed and it
 * is not found at `finalized`. `untold`: the chain cannot say.
 */
export type TransactionOutcome =
  | { readonly kind: 'landed'; readonly slot: bigint; readonly time: Date; readonly received: bigint | null }
  | { readonly kind: 'failed'; readonly slot: bigint; readonly refusal: ChainRefusal }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown' };

export interface SignatureQuery {
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
}

/**
 * The chain in the domain's words. Batches go in and come out in the same order. Accounts, instructions and RPC are
 * the adapter's business; it signs with a signer given to it, the charger.
 */
export interface Chain {
  readonly network: Network;
  /** Address of the service's charging identity (the puller). */
  readonly charger: string;

  head(): Promise<Answer<ChainHead>>;
  /** Where a plan of this owner and number stands or will stand. */
  planAddress(owner: string, number: bigint): Promise<string>;
  /** Where this wallet's subscription to this plan stands or will stand. */
  subscriptionAddress(planAddress: string, wallet: string): Promise<string>;

  readPlan(address: string): Promise<Answer<PlanView | null>>;
  readMint(mint: string): Promise<Answer<MintView | null>>;
  /** Reads every account each charge depends on, in as few calls as the chain allows. `finalized` to be sure of a gone one. */
  readCharges(
    asks: readonly ChargeTarget[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<readonly Answer<ChargeView>[]>;

  /** Builds a transaction for a wallet to sign. Refuses nothing: the operation judged the view before. */
  build(ask: BuildRequest): Promise<Answer<UnsignedTransaction>>;
  /** The signature a submitted transaction is known by, its fee payer's; null when it does not decode or is not signed. */
  signatureOf(submitted: string): string | null;
  /** Compares a submitted transaction with the one built, and checks the wallet's signature. Never asks the chain. */
  inspect(submitted: string, built: string, wallet: string): Promise<Inspection>;
  /** Adds the charger's signature to an inspected transaction. The answer's height is the one given. */
  cosign(submitted: string, lastValidBlockHeight: bigint): Promise<SignedTransaction>;
  /** Runs a signed transaction without sending it; null when the chain would take it. */
  simulate(wire: string): Promise<Answer<ChainRefusal | null>>;

  /** Signs charges on one recent blockhash; nothing is sent. */
  signCharges(orders: readonly ChargeOrder[]): Promise<Answer<readonly SignedTransaction[]>>;
  send(wires: readonly string[]): Promise<readonly SendOutcome[]>;
  /** Looks up what became of each signature. */
  resolve(asks: readonly SignatureQuery[]): Promise<readonly TransactionOutcome[]>;
}
