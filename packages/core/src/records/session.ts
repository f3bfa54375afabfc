import type { LinkId, PlanId, ProjectId, SessionId, SubscriptionId } from './ids.js';

/** A customer's way into a project without an API key. Its secret is not stored, only the hash. */
export interface Session {
  readonly id: SessionId;
  readonly kind: 'checkout' | 'portal';
  readonly projectId: ProjectId;
  /** SHA-256 of the secret, lowercase hex. */
  readonly secretHash: string;
  /** The customer, as the project's server named it; null when it did not. */
  readonly externalId: string | null;
  /** With `subscriptionId` the email to which the portal was sent. */
  readonly email: string | null;
  /** The one subscription that a portal reaches; null where it reaches those of its customer. */
  readonly subscriptionId: SubscriptionId | null;
  /** The plans that it offers; a portal offers those of its customer besides. */
  readonly planIds: readonly PlanId[];
  /** Whether the page asks the customer for an email. */
  readonly askEmail: boolean;
  /** Where the page goes after the payment; null to stay. */
  readonly successUrl: string | null;
  /** Where the page leads back to; null for nowhere. */
  readonly backUrl: string | null;
  /** The language of the page, such as `de`; null for that of the browser. */
  readonly locale: string | null;
  /** The link that opened it; null when the server made it. */
  readonly linkId: LinkId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A subscription for which a session built something. */
export interface SessionSubscription {
  readonly sessionId: SessionId;
  readonly subscriptionId: SubscriptionId;
  /** When it built something last, before it submitted. */
  readonly reservedAt: Date;
  /** When the session submitted its first payment; null while it did not. */
  readonly submittedAt: Date | null;
}

/** The look of the pages of a project's customers. */
export interface ProjectLook {
  readonly projectId: ProjectId;
  /** The colour of buttons and of marks, such as `#0a7d5a`; null for that of the pages. */
  readonly accent: string | null;
  /** The picture beside the project's name, as a data URL; null without one. */
  readonly logo: string | null;
}

/** A permanent address that opens a new checkout of one plan for each visit. */
export interface Link {
  readonly id: LinkId;
  readonly projectId: ProjectId;
  readonly planId: PlanId;
  /** The plan from which its visitors change to that one; null when they subscribe. */
  readonly replacesPlanId: PlanId | null;
  readonly askEmail: boolean;
  readonly successUrl: string | null;
  readonly createdAt: Date;
  /** When it was ended; null while it is not. */
  readonly endedAt: Date | null;
}
