import type {
  BlockedReason,
  EndReason,
  LateReason,
  StopReason,
  SubscriptionStatus,
} from '../contract/enums.js';
import type { PlanId, ProjectId, SubscriptionId } from './ids.js';

/**
 * Which of the accounts that may ever stand at the subscription's address is ours. The address is reused after a close,
 * so a subscription is told from a later one by these three together (program#address-reuse-and-incarnations).
 */
export interface Incarnation {
  /** The generation of the wallet's authority at the time (`init_id`). */
  readonly generation: bigint;
  readonly planCreatedAt: Date;
  /** Chain time of the subscribing transaction: where the billing grid is anchored (billing-periods#billing-grid). */
  readonly anchor: Date;
}

/** A missed payment and what became of its retries. Null on the record unless the status is `unpaid`. */
export interface Late {
  /** Start of the grid period that was missed. */
  readonly periodStart: Date;
  /** Instant of the last rejected try (access#access-by-state, Fk). */
  readonly rejectedAt: Date;
  /** The service's own retries; null where every retry is fired by hand (Free). */
  readonly automatic: AutomaticRetries | null;
  /** When retries by hand close, with automatic ones absent (Free). */
  readonly deadline: Date | null;
  /** Retries fired by hand for the missed period. */
  readonly byHand: { readonly count: number; readonly lastAt: Date | null };
  /** Since when a retry fired by hand waits for the worker or runs, else null. */
  readonly queuedAt: Date | null;
}

/** The service's own retries of a missed payment. */
export interface AutomaticRetries {
  readonly spent: number;
  readonly allowed: number;
  readonly waitMs: number;
  /** When the next one was set for. */
  readonly nextAt: Date;
}

/** A cancellation the chain confirmed. */
export interface Cancellation {
  readonly confirmedAt: Date;
  /** When it takes effect on chain. */
  readonly expiresAt: Date;
  /** It was made while a payment was late: access ended at once and nothing is collected (cancel-resume-close#cancel-while-paid-up). */
  readonly behind: boolean;
}

/** The terms handed out last for a pending subscription (terms#lines-of-the-terms). */
export interface Terms {
  readonly message: string;
  /** Every fact of the message but nonce and expiry: equal facts hand out the same text again (terms#stable-terms). */
  readonly facts: string;
  readonly nonce: string;
  readonly expiresAt: Date;
  /** When a submit spent them, else null. */
  readonly spentAt: Date | null;
}

/** How a wallet gets onto a plan: with a new subscription on chain, or over the one it stopped paying (coming-back#who-can-come-back). */
export type CheckoutAction = 'subscribe' | 'comeback';

/** What a wallet does to a subscription it has. */
export type ChangeAction = 'cancel' | 'resume' | 'close';

/** The transaction built last for the wallet to sign. Only this one is accepted. */
export interface BuiltTransaction {
  readonly action: CheckoutAction | ChangeAction;
  /** The unsigned transaction, base64. */
  readonly transaction: string;
  readonly lastValidBlockHeight: bigint;
  readonly builtAt: Date;
}

/**
 * One subscription of one wallet to one plan, as stored. Whether it grants access, and everything else a reader is
 * told, is derived from this, its plan and an instant (`rules/standing`).
 * Only `rules/change` makes a next version of it, and only `Store.commit` writes one.
 */
export interface Subscription {
  readonly id: SubscriptionId;
  readonly projectId: ProjectId;
  readonly planId: PlanId;
  /** Counts commits; a writer that read an older one has lost the race. */
  readonly version: number;
  readonly status: SubscriptionStatus;
  readonly wallet: string;
  readonly externalId: string | null;
  readonly email: string | null;
  /** Where the subscription stands on chain. */
  readonly address: string;
  /** Null until the first payment landed. */
  readonly incarnation: Incarnation | null;

  readonly endReason: EndReason | null;
  readonly lateReason: LateReason | null;
  readonly stopReason: StopReason | null;
  /** Since when the seat is parked over the project's limit, else null. */
  readonly pausedAt: Date | null;
  readonly blockedSince: Date | null;
  readonly blockedReason: BlockedReason | null;

  /** The grid period last paid for. */
  readonly paidPeriodStart: Date | null;
  readonly paidPeriodEnd: Date | null;
  /** Until when whole periods passed without a charge and are on record as missed (billing-periods#missed-periods); null when none are. */
  readonly missedUntil: Date | null;
  readonly late: Late | null;
  readonly cancellation: Cancellation | null;
  /** When the chain is next read for it: the due charge, a retry, a blocked retry, an end to be seen. */
  readonly nextTryAt: Date | null;
  /** Since when the plan or the subscription read as gone, until a second look agrees (attempts#first-finding-decides, gone_unconfirmed). */
  readonly goneSince: Date | null;

  /** Whether terms signed by the wallet are on record: without them nothing is charged. */
  readonly termsSigned: boolean;
  /** Until when an unsigned checkout waits; null once it is settled. */
  readonly checkoutExpiresAt: Date | null;
  readonly terms: Terms | null;
  readonly built: BuiltTransaction | null;

  /** What the last access event told: the next one tells the opposite (invariants#access-events-alternate). */
  readonly lastAnnouncedAccess: boolean;
  /** The `sequence` of its last event, 0 before the first. */
  readonly lastSequence: number;
  readonly lastEventAt: Date | null;
  /** Every paid charge since it began. */
  readonly paidCount: number;
  readonly paidAmount: bigint;

  /** The stopped subscription this one came back over (coming-back#who-can-come-back). */
  readonly previousId: SubscriptionId | null;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
  /** When its account was seen closed on chain after its end, else null. */
  readonly closedAt: Date | null;
  /** The earliest instant at which time alone can change it (`rules/wake`); null when none can. */
  readonly wakeAt: Date | null;
}
