import type { ReasonCode } from '../contract/confirmation.js';
import type { SubscriptionId, TransferId } from './ids.js';

/**
 * One transaction of ours that may move money. Stored before it is sent ("intent before send"), so that what became of it
 * is a look-up by signature after any crash. At most one of a subscription is `open`, and at most one of a
 * period is `landed`: the store enforces both.
 */
export interface Transfer {
  readonly id: TransferId;
  readonly subscriptionId: SubscriptionId;
  /** The first payment with its subscription, a comeback's payment, or a charge of a later period. */
  readonly kind: 'subscribe' | 'comeback' | 'charge';
  /** For a charge: what fired it. Null on a first payment. */
  readonly trigger: 'schedule' | 'retry' | 'hand' | null;
  /** Base58; the look-up key for ever. */
  readonly signature: string;
  /** The signed transaction, base64: sending it again is harmless. */
  readonly wire: string;
  /** Asked, in the token's smallest unit. */
  readonly amount: bigint;
  /** Start of the grid period it pays. Null for a subscribing one, whose period starts when it lands. */
  readonly periodStart: Date | null;
  readonly lastValidBlockHeight: bigint;
  readonly state: 'open' | 'landed' | 'failed' | 'lost';
  /** The confirmation's `reason_code` when it settled nothing, or settled something else than was built; else null. */
  readonly reasonCode: ReasonCode | null;
  /** Looks at `finalized` that found it neither landed nor able to land any more; the second makes it `lost` (attempts#results-of-a-sent-transaction). */
  readonly notFoundCount: number;
  /** Whether the wait outlived two minutes and was written as a blocked attempt already (attempts#long-wait-recorded-once). */
  readonly longWaitRecorded: boolean;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}
