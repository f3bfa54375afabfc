import type {
  Attempt,
  Subscription,
  SubscriptionEvent,
  SubscriptionForAccess,
  Transfer,
} from '../../records/index.js';
import type { At } from '../../rules/at.js';

/** Everything that is stored of one subscription. */
export interface ExaminedSubscription {
  readonly subscription: Subscription;
  readonly at: At;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** Oldest first. */
  readonly transfers: readonly Transfer[];
  /** Whether a change of plan that may still land holds it; null when none holds it. */
  readonly heldByOpenChange: boolean | null;
  /** The subscriptions that are charged beside it: its customer's to the same plan, with other wallets. */
  readonly chargedBeside: readonly SubscriptionForAccess[];
  /**
   * Signatures of paid attempts whose transfer landed for another checkout, as a comeback may pay for an
   * earlier one.
   */
  readonly landedElsewhere: ReadonlySet<string>;
  /** The events that retention left, without held ones, by sequence. */
  readonly events: readonly SubscriptionEvent[];
}

/** The remedy for records that contradict each other: only a person can find out which one is right. */
export const COMPARE_WITH_CHAIN =
  'Compare the rows with the chain by their signatures, and restore a backup or correct the wrong row by hand while no host runs.';

/** The remedy for a defect that the service should have prevented. */
export const REPORT =
  'Report it as a defect, with these rows. Nothing is charged twice meanwhile, because the chain allows one payment for a period.';
