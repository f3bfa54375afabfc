import type { Attempt, AttemptId, SubscriptionId, Transfer } from '../../records/index.js';
import type { SignedTerms } from './commit.js';
import type { Page, PageRequest } from './page.js';

/** Reads transfers, attempts and signed terms. They are written by `commit`, together with their subscription. */
export interface ChargeStore {
  /** Returns the subscription's only open transfer, or null. */
  findOpenTransfer(subscriptionId: SubscriptionId): Promise<Transfer | null>;
  /**
   * Returns the transfer with this signature, or null. Of charges that share a transaction it returns the one whose
   * `paymentIndex` is 0.
   */
  findTransferBySignature(signature: string): Promise<Transfer | null>;
  /** Returns every transfer of the subscription, of whatever state, newest first. */
  listTransfers(subscriptionId: SubscriptionId): Promise<readonly Transfer[]>;
  /** Returns the terms with the latest `signedAt`, either one of equal ones, or null. Earlier ones stay stored. */
  findSignedTerms(subscriptionId: SubscriptionId): Promise<SignedTerms | null>;

  /** Returns a page of attempts, ordered by `attemptedAt`, newest first. */
  listAttempts(
    subscriptionId: SubscriptionId,
    page: PageRequest<AttemptId>,
  ): Promise<Page<Attempt> | 'unknown_cursor'>;
  /** Returns the only attempt whose outcome is `paid` for this period, or null. */
  findPaidAttempt(subscriptionId: SubscriptionId, periodStart: Date): Promise<Attempt | null>;
}
