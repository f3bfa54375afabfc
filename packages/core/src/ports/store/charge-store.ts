import type { Attempt, AttemptId, SubscriptionId, Transfer } from '../../records/index.js';
import type { SignedTerms } from './commit.js';
import type { Page, PageRequest } from './page.js';

/** Reads transfers, attempts and signed terms. They are written by `commit`, together with their subscription. */
export interface ChargeStore {
  /** Returns the subscription's only open transfer, or null. */
  findOpenTransfer(subscriptionId: SubscriptionId): Promise<Transfer | null>;
  /**
   * Returns the transfer with this signature, or null.
   * @param paymentIndex which of the charges that share the transaction; the first, 0, when it is left out
   */
  findTransferBySignature(signature: string, paymentIndex?: number): Promise<Transfer | null>;
  /** Returns at most `limit` transfers of the subscription, of whatever state, newest first. */
  listTransfers(subscriptionId: SubscriptionId, limit: number): Promise<readonly Transfer[]>;
  /** Returns the terms with the latest `signedAt`, either one of equal ones, or null. Earlier ones stay stored. */
  findSignedTerms(subscriptionId: SubscriptionId): Promise<SignedTerms | null>;

  /** Returns a page of attempts, ordered by `attemptedAt`, newest first. */
  listAttempts(
    subscriptionId: SubscriptionId,
    page: PageRequest<AttemptId>,
  ): Promise<Page<Attempt> | 'unknown_cursor'>;
  /** Returns the only attempt whose outcome is `paid` for this period, or null. */
  findPaidAttempt(subscriptionId: SubscriptionId, periodStart: Date): Promise<Attempt | null>;
  /**
   * Returns at most `limit` attempts without a USD amount that were made at `since` or later, oldest first, by id within one
   * instant; those that follow `after`, when it is not null.
   */
  listUnpricedAttempts(
    since: Date,
    after: Pick<UnpricedAttempt, 'id' | 'attemptedAt'> | null,
    limit: number,
  ): Promise<readonly UnpricedAttempt[]>;
  /** Sets the USD amount of attempts that have none. One that has an amount keeps it. */
  priceAttempts(amountsUsd: ReadonlyMap<AttemptId, string>): Promise<void>;
}

/** An attempt without a USD amount, and what the amount depends on. */
export interface UnpricedAttempt extends Pick<Attempt, 'id' | 'attemptedAt' | 'amount'> {
  /** The token of the plan, and its decimals. */
  readonly mint: string;
  readonly decimals: number;
}
