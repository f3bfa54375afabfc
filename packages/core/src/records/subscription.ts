import type {
  BlockedReason,
  EndReason,
  LateReason,
  StopReason,
  SubscriptionStatus,
} from '../contract/enums.js';
import type { LinkId, PlanId, ProjectId, SessionId, SubscriptionId } from './ids.js';

/**
 * Identifies an account among all that ever exist at a subscription's address, which is reused after a close.
 */
export interface Incarnation {
  /** The generation (`init_id`) of the wallet's subscription authority when the account was made. */
  readonly generation: bigint;
  readonly planCreatedAt: Date;
  /** Chain time of the subscribing transaction, from which all billing periods are counted. */
  readonly anchor: Date;
}

/** A missed payment and its retries. A subscription has one only while its status is `unpaid`. */
export interface Late {
  /** Start of the billing period that was not paid. */
  readonly periodStart: Date;
  /**
   * Until when access lasts while it is late; null without grace. A later missed period does not change it.
   */
  readonly graceUntil: Date | null;
  /** The automatic retries; null on the Free tier, which has only manual ones. */
  readonly automatic: AutomaticRetries | null;
  /**
   * The deadline of manual retries; null with automatic ones. Null also after it passed unnoticed, while the
   * subscription was parked or had automatic retries: then the next period is charged when it begins.
   */
  readonly deadline: Date | null;
  /**
   * The manual retries of one period: their number, and the date of the last, which lies within their period.
   * That may be a later one than this.
   */
  readonly byHand: { readonly count: number; readonly lastAt: Date | null };
  /** When the manual retry that is waiting or running was queued; null when there is none. */
  readonly queuedAt: Date | null;
}

/** The automatic retries of a missed payment. */
export interface AutomaticRetries {
  readonly spent: number;
  readonly allowed: number;
  readonly waitMs: number;
  /** When the next one is tried: its scheduled date, or a later one when it was blocked then. */
  readonly nextAt: Date;
}

/** A cancellation that the chain confirmed. */
export interface Cancellation {
  readonly confirmedAt: Date;
  /** When it takes effect on chain. */
  readonly expiresAt: Date;
  /** Whether the period in progress was unpaid at the cancellation: access ended at once. */
  readonly behind: boolean;
  /** How it was late when it was cancelled, as it is again after a resume; null when it was not. */
  readonly lapse: Lapse | null;
}

/** A missed payment, with its reason. */
export interface Lapse {
  readonly late: Late;
  readonly lateReason: LateReason | null;
}

/** The terms that were last issued for a pending subscription. */
export interface Terms {
  readonly message: string;
  /** The facts of the message except nonce and expiry. With equal facts, the same text is issued again. */
  readonly facts: string;
  readonly nonce: string;
  readonly expiresAt: Date;
  /** When a submit used them; null before. */
  readonly spentAt: Date | null;
}

/**
 * What a checkout does: makes a new subscription on chain, pays again for the wallet's stopped one, or makes
 * a new one in place of a running one to another plan.
 */
export type CheckoutAction = 'subscribe' | 'comeback' | 'change';

export type ChangeAction = 'cancel' | 'resume' | 'close';

/** The transaction that was last built for the wallet to sign. Only this one is accepted. */
export interface BuiltTransaction {
  readonly action: CheckoutAction | ChangeAction;
  /** The unsigned transaction, base64. */
  readonly transaction: string;
  readonly lastValidBlockHeight: bigint;
  readonly builtAt: Date;
}

/**
 * A subscription of one wallet to one plan, as stored. Access is not stored but derived from the
 * subscription, its plan and an instant. Every change makes its next version, which only `Store.commit`
 * writes.
 */
export interface Subscription {
  readonly id: SubscriptionId;
  readonly projectId: ProjectId;
  readonly planId: PlanId;
  /** Incremented by every commit and every claim. A commit that is based on an older version conflicts. */
  readonly version: number;
  readonly status: SubscriptionStatus;
  readonly wallet: string;
  readonly externalId: string | null;
  readonly email: string | null;
  /** The session without a named customer that created it, which alone finds it while pending; else null. */
  readonly reservedFor: SessionId | null;
  /** Whether a session without a named customer said who the customer is, whose email a stranger may type. */
  readonly customerTyped: boolean;
  /** The plan link that opened that session; null without one. */
  readonly reservedByLink: LinkId | null;
  /** The address of the subscription's account. */
  readonly address: string;
  /** Null until the first payment has landed. */
  readonly incarnation: Incarnation | null;

  readonly endReason: EndReason | null;
  readonly lateReason: LateReason | null;
  readonly stopReason: StopReason | null;
  /** Since when the seat is parked because the project is over its limit; else null. */
  readonly pausedAt: Date | null;
  readonly blockedSince: Date | null;
  readonly blockedReason: BlockedReason | null;
  /** Until when the block leaves access; null without a block, and when the block began without access. */
  readonly blockedAccessUntil: Date | null;

  /** The billing period that was paid last. */
  readonly paidPeriodStart: Date | null;
  readonly paidPeriodEnd: Date | null;
  /** End of the last whole period that was recorded as missed; null when there is none. */
  readonly missedUntil: Date | null;
  /**
   * No notice of the next renewal is raised before this instant: the end of the paid period after a notice,
   * or the next try when the chain did not answer; else null.
   */
  readonly renewalNoticeNotBefore: Date | null;
  /**
   * No reminder by mail is made before this instant: the date of the next one after a reminder, or the next
   * try when the chain did not answer; else null.
   */
  readonly reminderNotBefore: Date | null;
  readonly late: Late | null;
  readonly cancellation: Cancellation | null;
  /** When the worker next reads the chain for a charge, a retry, a blocked retry, a transfer or an end. */
  readonly nextTryAt: Date | null;
  /** When the plan or the subscription was first found gone, until a second read; else null. */
  readonly goneSince: Date | null;
  /** When the worker next reads the chain for it although nothing is due; null when it does not. */
  readonly nextCheckAt: Date | null;

  /** Whether the wallet's signed terms are stored. Without them nothing is charged. */
  readonly termsSigned: boolean;
  /** When the unpaid checkout expires; null once it is settled. */
  readonly checkoutExpiresAt: Date | null;
  readonly terms: Terms | null;
  readonly built: BuiltTransaction | null;

  /** The access that the last access event reported. The next access event reports the opposite. */
  readonly lastAnnouncedAccess: boolean;
  /** When the access of the last access event ends if nothing happens; null when that reported none. */
  readonly accessEndsAt: Date | null;
  /** The `sequence` of its last event; 0 before the first. */
  readonly lastSequence: number;
  readonly lastEventAt: Date | null;
  /** Whether an event of it is held, behind which the deliveries of its later events wait. */
  readonly hasHeldEvents: boolean;
  /** How many charges were paid, and their sum. */
  readonly paidCount: number;
  readonly paidAmount: bigint;

  /**
   * The subscription before this one: the stopped one that it continues after a comeback, or the running one
   * that it replaces by a change of plan, which it has from its creation on; else null.
   */
  readonly previousId: SubscriptionId | null;
  /**
   * The subscription that replaces this one by a change of plan, from its submit on. While this one runs, the
   * change may still land, and it is held; null when none does.
   */
  readonly replacedById: SubscriptionId | null;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
  /** When its account was found closed on chain after its end; else null. */
  readonly closedAt: Date | null;
  /** When it stopped or ended first; null while it runs. A later cancellation or close keeps it. */
  readonly lostAt: Date | null;
  /** The first instant at which time alone can change it, or until when it is leased; null without any. */
  readonly wakeAt: Date | null;
}
