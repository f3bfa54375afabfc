import type { BlockedReason } from '../contract/enums.js';
import type { BuiltTransaction, Incarnation, SubscriptionId, Terms } from '../records/index.js';
import type { EndingReason } from '../rules/attempt-reasons.js';
import type { NamedCustomer } from '../rules/customer.js';
import type { Reminder } from '../rules/reminders.js';
import type { Reinstatement } from '../rules/reinstatement.js';

/** A payment that the chain has recorded. */
export interface Payment {
  readonly amount: bigint;
  /** The amount that the receiver got; null when the chain could not say. */
  readonly received: bigint | null;
  readonly periodStart: Date;
  /** Base58. */
  readonly signature: string;
}

/** Why a subscription changes. Every change has exactly one transition. */
export type Transition =
  | CheckoutTransition
  | CustomerTransition
  | WalletTransition
  | ChargeTransition
  | ScheduleTransition;

/** Transitions of a pending subscription, and of the one that it continues or replaces. */
type CheckoutTransition =
  /** A pending subscription is stored for the first time. */
  | { readonly kind: 'checkout_opened' }
  /** A transaction was built for the wallet, under terms that it has to sign first. */
  | {
      readonly kind: 'checkout_issued';
      readonly built: BuiltTransaction;
      readonly terms: Terms;
      readonly checkoutExpiresAt: Date;
      readonly email: string | null;
    }
  /** The wallet's transaction was accepted and is about to be sent. It is looked up at `nextTryAt`. */
  | { readonly kind: 'submitted'; readonly nextTryAt: Date }
  /**
   * A comeback over this subscription, or another checkout of its customer, is about to be sent. The new
   * version makes concurrent changes conflict.
   */
  | { readonly kind: 'sibling_submitted' }
  /** A change of plan that replaces this subscription is about to be sent, or can no longer land: null. */
  | { readonly kind: 'change_submitted'; readonly replacedById: SubscriptionId | null }
  /**
   * A change of plan landed that replaces this subscription. `expiresAt`: when its cancellation takes effect
   * on chain; null when the chain shows none.
   */
  | {
      readonly kind: 'replaced';
      readonly replacedById: SubscriptionId;
      readonly expiresAt: Date | null;
    }
  /** The submitted transaction did not land and never will. */
  | { readonly kind: 'checkout_unpaid' }
  /**
   * Another checkout of the wallet landed while this one's transaction may still land. It expires once that
   * transaction is resolved.
   */
  | { readonly kind: 'checkout_overtaken' }
  /** The transaction of a checkout landed with its first payment. */
  | {
      readonly kind: 'first_payment';
      readonly payment: Payment;
      readonly incarnation: Incarnation;
      readonly landedAt: Date;
      /** The stopped subscription that a comeback continues. A change names its own from the create on. */
      readonly previousId: SubscriptionId | null;
      /** When it ends on chain, if the wallet had cancelled it before the landing was seen; else null. */
      readonly expiresAt: Date | null;
    }
  /**
   * The transaction landed, and the account on chain is not the expected one. `payment` is null only when it
   * is recorded with the earlier subscription, which runs again
   * (coming-back#earlier-subscription-runs-again).
   */
  | { readonly kind: 'checkout_failed'; readonly payment: Payment | null }
  /** A comeback of the wallet replaces this subscription (coming-back#superseded-by-a-comeback). */
  | { readonly kind: 'superseded' }
  /** No transaction of the checkout can land any more. */
  | { readonly kind: 'checkout_expired' };

/** Transitions to another customer. */
type CustomerTransition =
  /** An operator corrected who the customer is. */
  | {
      readonly kind: 'customer_corrected';
      readonly externalId: string | null;
      readonly email: string | null;
    }
  /** A change of plan was submitted, or has landed: its customer is that of the subscription it replaces. */
  | { readonly kind: 'customer_kept'; readonly customer: NamedCustomer };

/** Transitions by the wallet of a subscription. */
type WalletTransition =
  /** A transaction was built that cancels, resumes or closes the subscription. */
  | { readonly kind: 'transaction_built'; readonly built: BuiltTransaction }
  /** The chain shows a cancellation that runs until `expiresAt`. */
  | { readonly kind: 'cancelled'; readonly expiresAt: Date; readonly nextTryAt: Date }
  /** The cancellation was undone. */
  | { readonly kind: 'resumed' }
  /** The wallet closed its account on chain, as it may once the subscription is over. */
  | { readonly kind: 'closed' };

/** The outcome of a charge, or the finding of a read of the chain after which no charge was made. */
type ChargeTransition =
  /** A charge or a retry landed. */
  | { readonly kind: 'paid'; readonly payment: Payment }
  /** The period reads as paid, by no transfer of the service (attempts#period-already-paid). */
  | { readonly kind: 'already_paid'; readonly periodStart: Date }
  /** Whole periods passed without a charge (billing-periods#missed-periods). The current one is next. */
  | { readonly kind: 'missed'; readonly since: Date; readonly until: Date }
  /** A charge failed for a reason of the customer's. */
  | {
      readonly kind: 'rejected';
      readonly reason: string;
      /** What the wallet lacked of the amount; absent when it lacked none, or nobody looked. */
      readonly missing?: bigint;
      readonly amount: bigint;
      readonly periodStart: Date;
    }
  /**
   * The chain refused a charge that was sent, and the read that explains it found no block, but something
   * that follows. Only the attempt is recorded (attempts#refused-charge-keeps-its-code).
   */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly amount: bigint;
      readonly periodStart: Date | null;
    }
  /**
   * A charge could not be made, by no fault of the customer. It is tried again at `nextTryAt`, or never when
   * null. `goneSince` is set when the account or the plan reads as gone, until a second read.
   */
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      /** The reason that the subscription shows. */
      readonly block: BlockedReason;
      readonly amount: bigint;
      readonly periodStart: Date | null;
      readonly nextTryAt: Date | null;
      readonly goneSince?: Date;
    }
  /** The end of the subscription on chain. `cancelledUntil`: the expiry of the cancellation that ended it. */
  | { readonly kind: 'ended'; readonly reason: EndingReason; readonly cancelledUntil: Date | null }
  /** Its account was found on chain after it had ended as gone. */
  | ({ readonly kind: 'reinstated' } & Reinstatement);

/** Transitions by time, by the worker, or by a retry that was requested. */
type ScheduleTransition =
  /** A manual retry was requested. */
  | { readonly kind: 'retry_queued' }
  /** The date at which access ends has passed. */
  | { readonly kind: 'access_ended' }
  /** The chain's clock has passed the deadline of manual retries. */
  | { readonly kind: 'retry_deadline_passed' }
  /** Its seat is parked, because the project is over its limit. */
  | { readonly kind: 'paused' }
  /** Its parked seat is back. */
  | { readonly kind: 'unpaused' }
  /** The tier of its project gained or lost automatic retries while it is late. */
  | { readonly kind: 'tier_changed' }
  /** A worker claimed it and had nothing to do: it sleeps until its next date. */
  | { readonly kind: 'rescheduled' }
  /** The paid period ends soon. `rejection`: why the wallet could not pay the next charge, or null. */
  | { readonly kind: 'renewal_upcoming'; readonly rejection: string | null }
  /** Whether the wallet can pay the next charge is not known. The notice is tried again at `nextTryAt`. */
  | { readonly kind: 'renewal_notice_postponed'; readonly nextTryAt: Date }
  /**
   * A reminder is made (mails#reminders). `rejection`: why the wallet could not pay the price, and what it
   * lacks of it; both null when it could, and for a reminder for which the chain is not read.
   */
  | {
      readonly kind: 'reminded';
      readonly reminder: Pick<Reminder, 'kind' | 'of' | 'next'>;
      readonly rejection: string | null;
      readonly missing: bigint | null;
    }
  /** Whether the wallet can pay is not known. The reminder is tried again at `nextTryAt`. */
  | { readonly kind: 'reminder_postponed'; readonly nextTryAt: Date }
  /**
   * The chain was read, or could not be, although nothing was due, and no change was found. `goneSince` is
   * set when the account reads as gone, until a second read.
   */
  | { readonly kind: 'checked'; readonly goneSince: Date | null; readonly nextCheckAt: Date | null }
  /**
   * Nothing was decided, and the chain is read again at `nextTryAt`. `goneSince` is set when the account or
   * the plan reads as gone, until a second read.
   */
  | { readonly kind: 'poll_scheduled'; readonly nextTryAt: Date; readonly goneSince?: Date };
