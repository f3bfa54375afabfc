import type { BlockedReason } from '../contract/enums.js';
import type { BuiltTransaction, Incarnation, SubscriptionId, Terms } from '../records/index.js';
import type { EndingReason } from '../rules/attempt-reasons.js';

/** A payment the chain holds. */
export interface Payment {
  readonly amount: bigint;
  /** What the receiver got of it; null when the chain could not say. */
  readonly received: bigint | null;
  readonly periodStart: Date;
  /** Base58. */
  readonly signature: string;
}

/** Why a subscription changes. Every change has exactly one. */
export type Transition =
  /** A transaction was built for the wallet, under terms it is to sign first. */
  | {
      readonly kind: 'checkout_issued';
      readonly built: BuiltTransaction;
      readonly terms: Terms;
      readonly checkoutExpiresAt: Date;
      readonly email: string | null;
    }
  /** A transaction was built for the wallet that changes a subscription it has. */
  | { readonly kind: 'transaction_built'; readonly built: BuiltTransaction }
  /** The wallet's transaction was accepted and is on its way; looked up at `again`. */
  | { readonly kind: 'submitted'; readonly nextTryAt: Date }
  /** A comeback over it is about to be sent. Nothing of it changes, but whoever else moves it meanwhile has lost the race. */
  | { readonly kind: 'comeback_submitted' }
  /** What was submitted did not land and never will. */
  | { readonly kind: 'checkout_unpaid' }
  /** Another checkout of the wallet landed while what was submitted may land yet; it expires once that is known not to have. */
  | { readonly kind: 'checkout_overtaken' }
  /** The transaction of a checkout landed with its first payment. */
  | {
      readonly kind: 'first_payment';
      readonly payment: Payment;
      readonly incarnation: Incarnation;
      readonly landedAt: Date;
      /** The stopped subscription it came back over. */
      readonly previousId: SubscriptionId | null;
      /** When it ends on chain, cancelled before the landing was seen; null while it runs. */
      readonly expiresAt: Date | null;
    }
  /**
   * It landed, and what stands on chain is not what was reserved. The money moved all the same: `payment` is null only when
   * it is on record with the subscription that runs (checkout#order-of-create-refusals, earlier_subscription_running).
   */
  | { readonly kind: 'checkout_failed'; readonly payment: Payment | null }
  /** The wallet came back over it: another subscription goes on in its place (coming-back#comeback-pays-the-current-period). */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'checkout_expired' }
  /** A charge or a retry landed. */
  | { readonly kind: 'paid'; readonly payment: Payment }
  /** The chain holds the period as paid, and no transfer of ours did it. */
  | { readonly kind: 'already_paid'; readonly periodStart: Date }
  /** Whole periods passed before any charge (billing-periods#missed-periods); the current one is charged next. */
  | { readonly kind: 'missed'; readonly since: Date; readonly until: Date }
  /** A retry was fired by hand. */
  | { readonly kind: 'retry_queued' }
  /** A charge failed on the customer's side. */
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      readonly amount: bigint;
      readonly periodStart: Date;
    }
  /** A charge could not be made and the customer has no part in it; tried again at `again`, or never when null. */
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      /** What the subscription shows of it. */
      readonly block: BlockedReason;
      readonly amount: bigint;
      readonly periodStart: Date | null;
      readonly nextTryAt: Date | null;
    }
  /** The chain shows that it is over; `cancelledUntil` is the expiry of the cancellation that ended it. */
  | { readonly kind: 'ended'; readonly reason: EndingReason; readonly cancelledUntil: Date | null }
  | { readonly kind: 'cancelled'; readonly expiresAt: Date; readonly nextTryAt: Date }
  | { readonly kind: 'resumed' }
  /** The wallet closed its account on chain, as it may once it is over. */
  | { readonly kind: 'closed' }
  /** A date passed: the end of an access, or of the time for retries by hand. */
  | { readonly kind: 'deadline_elapsed' }
  /** A claim came to nothing: it sleeps until its next date. */
  | { readonly kind: 'rescheduled' }
  /** Nothing was decided; the chain is read again then. */
  | { readonly kind: 'poll_scheduled'; readonly nextTryAt: Date };
