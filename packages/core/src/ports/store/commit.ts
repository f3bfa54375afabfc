import type {
  Delivery,
  Mail,
  Movement,
  NewAttempt,
  SubscriptionEvent,
  Subscription,
  SubscriptionId,
  Transfer,
} from '../../records/index.js';

/** The wallet's signature of the terms, stored for ever: the proof that the wallet agreed to the charges. */
export interface SignedTerms {
  readonly subscriptionId: SubscriptionId;
  readonly message: string;
  /** Base58. */
  readonly signature: string;
  /** The signed bytes, in base64, when they are an envelope around the message; else null. */
  readonly envelope: string | null;
  readonly signedAt: Date;
}

/** The next version of one subscription, with every row that is written together with it. */
export interface Commit {
  /** Its `version` is one more than the stored one; 1 inserts the subscription. */
  readonly subscription: Subscription;
  /**
   * Inserted, each that paid with the next number of the receipts of its project: 1, 2, 3 and so on in the
   * order of commits and, within one, in the given order. A commit that is `lost` or fails takes no number.
   * `receiptPrefix` is that of the project's `Seller` as of the commit; null for a store without ReportStore.
   */
  readonly attempts: readonly NewAttempt[];
  /**
   * Inserted. A stored transfer with the same id is replaced whole, whichever subscription it has. No two of
   * one call have the same id.
   */
  readonly transfers: readonly Transfer[];
  /** Inserted. */
  readonly events: readonly SubscriptionEvent[];
  /** Inserted. */
  readonly deliveries: readonly Delivery[];
  /** Inserted, by a store with `FigureStore`. */
  readonly movements: readonly Movement[];
  /** Inserted, by a store with `MailStore`. */
  readonly mails: readonly Mail[];
  /** Inserted; null when this change has no new signature. */
  readonly signedTerms: SignedTerms | null;
}
