import type { Plan, Subscription, SubscriptionId } from '../../records/index.js';
import type { SignedTerms } from './commit.js';
import type { Page, PageRequest } from './page.js';

/** A capability: reads a wallet's records of all projects, for the routes of wallets and the cancel page. */
export interface WalletStore {
  /** Returns the wallet's subscription with this id, of any project; null for none or another wallet's. */
  findWalletSubscription(wallet: string, id: SubscriptionId): Promise<Subscription | null>;
  /**
   * Returns a page of a wallet's confirmed subscriptions (`confirmedAt` is set) with their plans, of every
   * project, newest first. Superseded subscriptions are left out, and are no cursor. Anyone can create
   * checkouts for any wallet, so their number must not make this slower.
   */
  listByWallet(
    wallet: string,
    page: PageRequest<SubscriptionId>,
  ): Promise<Page<{ readonly subscription: Subscription; readonly plan: Plan }> | 'unknown_cursor'>;
  /** Returns the terms with the latest `signedAt`, any of equal ones, or null. Earlier ones stay stored. */
  findSignedTerms(subscriptionId: SubscriptionId): Promise<SignedTerms | null>;
}
