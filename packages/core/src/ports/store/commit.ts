import type {
  Attempt,
  Delivery,
  SubscriptionEvent,
  Subscription,
  SubscriptionId,
  Transfer,
} from '../../records/index.js';

/** The wallet's signature of the terms. It is kept for ever, as the proof that the wallet agreed to the charges. */
export interface SignedTerms {
  readonly subscriptionId: SubscriptionId;
  readonly message: string;
  /** Base58. */
  readonly signature: string;
  /** The bytes that were signed, in base64, when they are an envelope around the message; null when they are the message. */
  readonly envelope: string | null;
  readonly signedAt: Date;
}

/** The next version of one subscription, with every row that is written together with it. */
export interface Commit {
  /** Its `version` is one more than the stored one; 1 inserts the subscription. */
  readonly subscription: Subscription;
  /** Inserted. */
  readonly attempts: readonly Attempt[];
  /** Inserted, or replaced when the id is stored already. */
  readonly transfers: readonly Transfer[];
  /** Inserted. */
  readonly events: readonly SubscriptionEvent[];
  /** Inserted. */
  readonly deliveries: readonly Delivery[];
  /** Inserted; null when this change has no new signature. */
  readonly signedTerms: SignedTerms | null;
}
