import type { AttemptOutcome } from '../contract/enums.js';
import type { AttemptId, SubscriptionId } from './ids.js';

/** An attempt to charge a subscription, with its outcome, before the store numbers its receipt. */
export interface NewAttempt {
  readonly id: AttemptId;
  readonly subscriptionId: SubscriptionId;
  readonly attemptedAt: Date;
  readonly outcome: AttemptOutcome;
  /** Why it did not pay; null exactly when it paid. */
  readonly reason: string | null;
  /** The amount of the charge, in the token's smallest unit. */
  readonly amount: bigint;
  /** The growth of the receiver's balance; null without a payment, or when the growth is not known. */
  readonly amountReceived: bigint | null;
  readonly amountUsd: string | null;
  /** The transaction's signature, base58; null exactly when the attempt did not pay. */
  readonly signature: string | null;
  /** The network fee that the charger paid for it, in lamports; null for none, or when it is not known. */
  readonly fee: bigint | null;
  /** Whether a charge for this period had already failed. */
  readonly retry: boolean;
  readonly retryNumber: number | null;
  readonly retriesAllowed: number | null;
  readonly periodStart: Date | null;
}

/** An attempt as stored. Only a missing USD price may be added later. */
export interface Attempt extends NewAttempt {
  /** The number of its receipt in the project, from 1 on; null exactly when the attempt did not pay. */
  readonly receiptNumber: number | null;
  /** What the project put before the numbers of its receipts when it paid; null for nothing. */
  readonly receiptPrefix: string | null;
}
