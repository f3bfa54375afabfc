import type { ChargeTarget, ChargeView } from './views.js';

/**
 * A transaction that a wallet is asked to sign, by `kind`:
 * - `subscribe`: a new subscription and its first payment. Opens or approves the subscription authority when
 *   `view` says it must;
 * - `change`: cancels the subscription to the plan `replaced`, then what `subscribe` does;
 * - `comeback`: only the payment of the current period, over a subscription account that still exists;
 * - `cancel`: cancels the subscription;
 * - `resume`: undoes the cancellation that expires at `expiresAt`;
 * - `close`: closes the subscription account, by the instruction named in `by`;
 * - `create_plan`: creates a plan;
 * - `update_plan`: makes the named changes of a plan, and leaves the rest of it as the chain has it;
 * - `delete_plan`: deletes a plan that has ended.
 */
export type BuildRequest =
  | (ChargeTarget & { readonly kind: 'subscribe' | 'comeback'; readonly view: ChargeView })
  | (ChargeTarget & {
      readonly kind: 'change';
      readonly view: ChargeView;
      readonly replaced: ChargeTarget['plan'];
    })
  | (ChargeTarget & { readonly kind: 'cancel' })
  | (ChargeTarget & { readonly kind: 'resume'; readonly expiresAt: Date })
  | (ChargeTarget & {
      readonly kind: 'close';
      readonly by: 'revoke' | 'cancel_and_revoke' | 'revoke_abandoned';
      /** The payer of the account's rent, who gets it back. */
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
    }
  | {
      readonly kind: 'update_plan';
      readonly owner: string;
      readonly address: string;
      readonly changes: PlanChanges;
    }
  | { readonly kind: 'delete_plan'; readonly owner: string; readonly address: string };

/** The changes of a plan on chain. A field that is left out stays as the chain has it. */
export interface PlanChanges {
  /** Takes no new subscriber any more, for good. */
  readonly sunset?: true;
  readonly endsAt?: Date;
  /** Every wallet that may charge from now on. */
  readonly pullers?: readonly string[];
}

/** The costs of signing for the wallet, beside the price, in lamports. */
export interface TransactionCosts {
  readonly rent: {
    readonly subscription: bigint;
    /** Null when no subscription authority has to be opened. */
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
  /** After this block height the transaction can no longer land. */
  readonly lastValidBlockHeight: bigint;
  /** The estimated last instant at which it can be submitted and still land before that height has passed. */
  readonly expiresAt: Date;
  readonly costs: TransactionCosts;
  /** Whether it approves the wallet's authority on the wallet's token account, which a CPI guard refuses. */
  readonly approves: boolean;
  /** The lamports that the payer's account must keep beyond the costs, unless nothing is left in it. */
  readonly reserve: bigint;
}

/**
 * A submitted transaction compared with the built one. `ours`: the same message, signed by the wallet, apart
 * from permitted additions and its lifetime. `other_message`: another message. `wallet_unsigned`: the
 * wallet's signature is missing or wrong. `other_wallet`: another wallet pays for it and signed it. `legacy`:
 * without a version. `other_version`: a version that is not built. `undecodable`: no transaction.
 */
export type Inspection =
  | {
      readonly kind: 'ours';
      /** Base58. */
      readonly signature: string;
      /** Whether it can land until the block height that was returned with the built one. */
      readonly hasBuiltLifetime: boolean;
    }
  | {
      readonly kind:
        | 'undecodable'
        | 'legacy'
        | 'other_version'
        | 'other_message'
        | 'wallet_unsigned'
        | 'other_wallet';
    };

/** A wallet's signature of a text, as its app handed it over. */
export interface SignedText {
  readonly wallet: string;
  /** The text that it was asked to sign. */
  readonly text: string;
  /** In base58 or base64: 64 bytes, or those with the bytes that were signed. */
  readonly signature: string;
  /** The bytes that the wallet says it signed, in base64; null when it does not say. */
  readonly signedMessage: string | null;
}

/** A wallet's valid signature of a text. */
export interface TextSignature {
  /** Base58. */
  readonly signature: string;
  /** The signed bytes, in base64, when they are an envelope around the text; null when they are the text. */
  readonly envelope: string | null;
}

/** A charge for the charger to sign: `amount` is paid to the token account `receiverAccount`. */
export interface ChargeOrder extends ChargeTarget {
  readonly amount: bigint;
  readonly receiverAccount: string;
}

/** A transaction with the charger's signature, not yet sent. */
export interface SignedTransaction {
  /** Base58. */
  readonly signature: string;
  /** The transaction, base64. */
  readonly wire: string;
  /** After this block height the transaction can no longer land. */
  readonly lastValidBlockHeight: bigint;
}

/** A charge that the charger signed. Charges of one transaction share its signature and wire. */
export interface SignedPayment extends SignedTransaction {
  /** Which payment of the transaction it is, from 0. */
  readonly paymentIndex: number;
}

/**
 * Why the chain refused a transaction. `program`: a `Custom` code of the instruction that moves the money, or
 * of a program it called. `chain`: any other error, with its number.
 */
export type ChainRefusal = { readonly kind: 'program' | 'chain'; readonly code: number };

/** Why the chain would refuse a transaction that was only simulated. */
export type SimulatedRefusal = ChainRefusal & {
  /** The cause, as a part of a sentence for a person. */
  readonly cause: string;
};

/**
 * The result of sending a transaction. `sent`: a server accepted it. `refused`: it cannot land. `unknown`: no
 * server said. Only `refused` is final: the outcome of the others has to be looked up by signature.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly refusal: ChainRefusal }
  | { readonly kind: 'unknown' };

/** A question about the outcome of a transaction. The block height decides whether it can still land. */
export interface SignatureQuery {
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  /** The index of the payment in the transaction, from 0. Default: 0. */
  readonly paymentIndex?: number;
}

/**
 * The outcome of a transaction for one of its payments. `landed`: it succeeded; `received` is the growth of
 * the receiver's balance, null when unknown. `failed`: it was executed and failed. `undone`: it failed
 * because of another payment, so nothing is known against this one. `waiting`: it may still land.
 * `not_found`: its block height passed and it is not on chain at `finalized`. `unknown`: the chain could not
 * be read, or cannot say.
 *
 * `lamports` is the payment's even share of the network fee; the remainder falls on the first payment. It is
 * left out when the chain does not say.
 */
export type TransactionOutcome =
  | {
      readonly kind: 'landed';
      readonly slot: bigint;
      readonly time: Date;
      readonly received: bigint | null;
      readonly lamports?: bigint;
    }
  | {
      readonly kind: 'failed';
      readonly slot: bigint;
      readonly refusal: ChainRefusal;
      readonly lamports?: bigint;
    }
  | { readonly kind: 'undone'; readonly slot: bigint; readonly lamports?: bigint }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown' };

/** A query of the history of a subscription's account. */
export interface HistoryQuery extends ChargeTarget {
  /** Earlier transactions, by the chain's time, are left out. */
  readonly since: Date;
  /** A slot that was read before. The answer is unavailable when the chain's history has not reached it. */
  readonly slot: bigint;
}

/** The history of a subscription's account since an instant. */
export interface SubscriptionHistory {
  /** The payments that the charger signed, newest first. */
  readonly payments: readonly LandedPayment[];
  /**
   * When the wallet last made the account, by the chain's time; null when not since then. A closed account
   * can be made again at the same address.
   */
  readonly createdAt: Date | null;
}

/** A payment that landed, as the history of the subscription's account has it. */
export interface LandedPayment {
  /** Base58. */
  readonly signature: string;
  /** Which payment of the transaction it is, from 0. */
  readonly paymentIndex: number;
  /** The transaction as it landed, base64. */
  readonly wire: string;
  readonly slot: bigint;
  readonly time: Date;
  /** The amount that it moved, in the token's smallest unit. */
  readonly amount: bigint;
  /** The growth of the receiver's balance; null when unknown. */
  readonly received: bigint | null;
  /** The network fee that falls on it, as in a `TransactionOutcome`. */
  readonly lamports?: bigint;
}
