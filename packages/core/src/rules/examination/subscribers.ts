import type { SubscriptionView } from '../../ports/index.js';
import type { EndReason } from '../../contract/enums.js';
import type { Plan, Subscription } from '../../records/index.js';
import { ownAccount } from '../incarnation.js';
import { isPaidLater } from './chain-checks.js';

/** The ends after which the account is cancelled or gone: one without a cancellation is another. */
const ENDS_OF_THE_ACCOUNT: readonly (EndReason | null)[] = ['cancelled', 'closed', 'closed_elsewhere'];

/** The records' answer about an account that is not cancelled on chain. */
export type OnRecord =
  | { readonly kind: 'missing' | 'known' }
  /** A stopped subscription, for whose account a later period was paid. */
  | { readonly kind: 'came_back'; readonly stopped: Subscription };

/**
 * Tells whether an account that is not cancelled on chain is on record. Other subscriptions of the wallet on
 * record say nothing: they may be of earlier accounts at the same address.
 * @param subscriptions the wallet's subscriptions to the plan, without pending ones that nobody has paid
 */
export function onRecord(
  account: SubscriptionView,
  subscriptions: readonly Subscription[],
  plan: Plan,
): OnRecord {
  // A paid checkout may be this account before a record says so, and that of a failed one never does.
  if (subscriptions.some(({ status }) => status === 'pending' || status === 'failed'))
    return { kind: 'known' };
  const own = subscriptions.find(
    (subscription) =>
      subscription.status !== 'superseded' &&
      !ENDS_OF_THE_ACCOUNT.includes(subscription.endReason) &&
      ownAccount({ subscription: account }, subscription, plan) !== null,
  );
  if (own === undefined) return { kind: 'missing' };
  return own.status === 'stopped' && own.paidPeriodStart !== null && isPaidLater(account, own.paidPeriodStart)
    ? { kind: 'came_back', stopped: own }
    : { kind: 'known' };
}
