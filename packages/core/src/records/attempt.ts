import type { AttemptOutcome } from '../contract/enums.js';
import type { AttemptId, SubscriptionId } from './ids.js';

/**
 * One attempt to charge a subscription, with its outcome. It never changes, except that a missing USD price may be
 * added.
 */
export interface Attempt {
  readonly id: AttemptId;
  readonly subscriptionId: SubscriptionId;
  readonly attemptedAt: Date;
  readonly outcome: AttemptOutcome;
  /** Why it did not pay; null exactly when it paid. */
  readonly reason: string | null;
  /** The amount of the charge, in the token's smallest unit. */
  readonly amount: bigint;
  /** What the receiver's balance grew by; null when the attempt did not pay, or when the growth is not known. */
  readonly amountReceived: bigint | null;
  readonly amountUsd: string | null;
  /** The transaction's signature, base58; null exactly when the attempt did not pay. */
  readonly signature: string | null;
  /** Whether a charge for this period had already failed. */
  readonly retry: boolean;
  readonly retryNumber: number | null;
  readonly retriesAllowed: number | null;
  readonly periodStart: Date | null;
}
