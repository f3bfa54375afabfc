import type { MailKind, MailState } from '../contract/enums.js';
import type { EventId, MailId, ProjectId, SubscriptionId } from './ids.js';

/** The facts of a mail, as they were at the change that caused it. A kind leaves those null that it lacks. */
export interface MailFacts {
  /** The price, or what was paid, in the smallest unit. */
  readonly amount: bigint | null;
  /** What the wallet lacks of the price, in the smallest unit. */
  readonly missing: bigint | null;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** The transaction of a payment, base58. */
  readonly signature: string | null;
  /** Why a try failed, the subscription stopped or ended, the wallet cannot pay, or no charge follows. */
  readonly reason: string | null;
  /** When it happens: the charge, the next try, the deadline, the end. */
  readonly dueAt: Date | null;
  /** Until when access lasts; null when there is none. */
  readonly accessUntil: Date | null;
  /** The tries that are left. */
  readonly retriesLeft: number | null;
  /** Whether the next try takes a call of the customer. */
  readonly byHand: boolean;
}

/** A mail to a customer, written in the commit of the change that caused it. */
export interface Mail {
  readonly id: MailId;
  readonly projectId: ProjectId;
  readonly subscriptionId: SubscriptionId;
  /** The event of the change; null for a reminder. */
  readonly eventId: EventId | null;
  readonly kind: MailKind;
  /** The customer's email at the change. */
  readonly email: string;
  readonly facts: MailFacts;
  readonly createdAt: Date;
  readonly state: MailState;
  /** The tries that were made since it was written, or since an operator sent it again. */
  readonly attempts: number;
  /** When the first of these tries was made; null before it. */
  readonly firstAttemptAt: Date | null;
  /** When it is due, or until when it is claimed; null once it is settled. */
  readonly nextAttemptAt: Date | null;
  /** When it was sent, refused, given up or left out; null while it is pending. */
  readonly settledAt: Date | null;
  /** Why the last try did not succeed; null without one. */
  readonly lastError: string | null;
}

/** The settings of a project's mails. */
export interface MailSettings {
  readonly projectId: ProjectId;
  /** The kinds that are not written. */
  readonly off: readonly MailKind[];
  /** The address that answers go to; null for that of the sender. */
  readonly replyTo: string | null;
  /** The language of the mails, such as `de`; null for English. */
  readonly language: string | null;
}

/** An address to which a project sends nothing, because a server refused it for good. */
export interface RefusedAddress {
  readonly projectId: ProjectId;
  readonly address: string;
  /** The words of the server. */
  readonly reason: string;
  readonly refusedAt: Date;
}
