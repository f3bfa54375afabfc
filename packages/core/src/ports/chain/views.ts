/** A plan account as read from the chain. */
export interface PlanView {
  readonly owner: string;
  readonly mint: string;
  readonly amount: bigint;
  readonly periodHours: number;
  readonly createdAt: Date;
  readonly endsAt: Date | null;
  /** Whether the plan is closed for new subscriptions. */
  readonly sunset: boolean;
  /** The wallets that may be paid. When there are none, any wallet may. */
  readonly destinations: readonly string[];
  /** The wallets that may charge subscriptions to the plan. */
  readonly pullers: readonly string[];
}

/** A subscription account as read from the chain. */
export interface SubscriptionView {
  /** The generation (`init_id`) of the subscription authority that the subscription was made under. */
  readonly generation: bigint;
  /** When the plan it was made for was created: a plan made later at the same address is another one. */
  readonly planCreatedAt: Date;
  /** The payer of the account's rent. */
  readonly payer: string;
  readonly amount: bigint;
  readonly periodHours: number;
  /** Start of the recorded period. The chain updates it only when a payment of a later period lands. */
  readonly periodStart: Date;
  /** How much was charged in the recorded period. */
  readonly pulled: bigint;
  /** When a cancellation takes effect; null when there is none. */
  readonly expiresAt: Date | null;
}

/** A subscription account of a list, with the wallet whose subscription it is. */
export interface SubscriberView extends SubscriptionView {
  readonly wallet: string;
}

/** The wallet's own token account, which pays. */
export interface SourceView {
  readonly owner: string;
  readonly balance: bigint;
  readonly frozen: boolean;
  /** Whether the account refuses that a program approves anybody for its owner. */
  readonly guarded: boolean;
  /** The delegate that may spend from the account besides its owner, and how much. */
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
}

/** The receiver's token account, which is paid. */
export interface ReceiverView {
  readonly address: string;
  readonly owner: string;
  readonly frozen: boolean;
  /** Whether the account refuses transfers without a memo. */
  readonly needsMemo: boolean;
  /** Whether the account accepts confidential transfers only. */
  readonly confidentialOnly: boolean;
}

/** A mint as read from the chain. */
export interface MintView {
  readonly tokenProgram: string;
  readonly decimals: number;
  readonly paused: boolean;
  /** Whether its tokens can be transferred at all. */
  readonly transferable: boolean;
  /** The program that every transfer of the token runs, or null when there is none. */
  readonly hookProgram: string | null;
}

/** A mint, and how it calls its token. */
export interface NamedMint extends MintView {
  /** Whether wallets show amounts of the token changed by a factor that the issuer or the time moves. */
  readonly scaled: boolean;
  /** The names that the mint gives itself on chain; null without any. Any mint can claim any name. */
  readonly names: { readonly symbol: string; readonly name: string } | null;
}

/**
 * The kind of an address that is paid. `wallet`: a wallet can have its key. `off_curve`: no key exists, so
 * only a program can move its funds, as in the vault of a multisig. `token`: a mint or a token account, never
 * the owner of one. `program`: a program, or an address of the chain itself, such as a sysvar.
 */
export type AddressKind = 'wallet' | 'off_curve' | 'token' | 'program';

/** An address as read from the chain. */
export interface AddressView {
  readonly kind: AddressKind;
  /** The balance of the account there; 0 without one. */
  readonly lamports: bigint;
}

/** A token account of a wallet. */
export interface OwnedTokens {
  readonly address: string;
  readonly balance: bigint;
}

/** Everything a charge depends on, read together at one slot. An account that does not exist is null. */
export interface ChargeView {
  readonly slot: bigint;
  /** The chain's own clock at that slot. */
  readonly time: Date;
  readonly plan: PlanView | null;
  readonly subscription: SubscriptionView | null;
  /** The wallet's subscription authority for the token; `generation` is null without an account. */
  readonly authority: { readonly address: string; readonly generation: bigint | null };
  readonly source: SourceView | null;
  /** The receiver's token account; when missing, the plan owner's, if the owner may receive; else null. */
  readonly receiver: ReceiverView | null;
  readonly mint: MintView | null;
}

/** The facts about a plan that the chain port needs to read its accounts and to build transactions. */
export interface PlanOnChain {
  readonly address: string;
  readonly owner: string;
  /** The owner's number for the plan; the plan's address follows from both. */
  readonly number: bigint;
  readonly createdAt: Date;
  readonly mint: string;
  readonly tokenProgram: string;
  readonly amount: bigint;
  readonly periodHours: number;
  /** The wallet that is paid, at its token account for the mint. */
  readonly receiver: string;
}

/** A wallet's subscription to a plan. */
export interface ChargeTarget {
  readonly plan: PlanOnChain;
  readonly wallet: string;
}

/** A question about what a transaction brought to the token accounts of a wallet for a mint. */
export interface ReceiptQuery {
  /** Base58. */
  readonly signature: string;
  readonly wallet: string;
  readonly mint: string;
}

/** A transaction in a block, and what it brought to a wallet. */
export interface Receipt {
  /** The time of its block. */
  readonly time: Date;
  readonly succeeded: boolean;
  /** By how much the wallet's token accounts for the mint grew, all together; 0 when they did not. */
  readonly received: bigint;
}
