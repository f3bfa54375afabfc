import type { AttemptOutcome } from '../contract/enums.js';
import type { AttemptId, SubscriptionId } from './ids.js';

/** One try of a charge that was decided (contract, Attempt). Never rewritten, but for a price that was not known yet. */
export interface Attempt {
  readonly id: AttemptId;
  readonly subscriptionId: SubscriptionId;
  readonly attemptedAt: Date;
  readonly outcome: AttemptOutcome;
  /** Null exactly when paid. */
  readonly reason: string | null;
  readonly amount: bigint;
  /** What the receiver's balance grew by; null when not paid or not known. */
  readonly amountReceived: bigint | null;
  readonly amountUsd: string | null;
  /** Null exactly when not paid. */
  readonly signature: string | null;
  /** A charge for this period had already failed. */
  readonly retry: boolean;
  readonly retryNumber: number | null;
  readonly retriesAllowed: number | null;
  readonly periodStart: Date | null;
}
