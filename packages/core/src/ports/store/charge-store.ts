import type { Attempt, AttemptId, SubscriptionId, Transfer } from '../../records/index.js';
import type { Page, PageRequest } from './page.js';

/** Reads transfers and attempts. `commit` writes them, together with their subscription. */
export interface ChargeStore {
  /** Returns the subscription's only open transfer, or null. */
  findOpenTransfer(subscriptionId: SubscriptionId): Promise<Transfer | null>;
  /**
   * Returns the transfer with this signature, or null.
   * @param paymentIndex the index among the charges that share the transaction; 0 when left out
   */
  findTransferBySignature(signature: string, paymentIndex?: number): Promise<Transfer | null>;
  /** Returns at most `limit` transfers of the subscription, of whatever state, newest first. */
  listTransfers(subscriptionId: SubscriptionId, limit: number): Promise<readonly Transfer[]>;

  /** Returns a page of attempts, ordered by `attemptedAt`, newest first. */
  listAttempts(
    subscriptionId: SubscriptionId,
    page: PageRequest<AttemptId>,
  ): Promise<Page<Attempt> | 'unknown_cursor'>;
}
