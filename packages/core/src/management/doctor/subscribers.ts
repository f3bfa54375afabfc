import type { SubscriptionView } from '../../ports/index.js';
import type { EndReason } from '../../contract/enums.js';
import type { Plan, Subscription } from '../../records/index.js';
import { ownAccount } from '../../rules/incarnation.js';
import { isPaidLater } from './chain-checks.js';

/** The ends after which the account of a subscription is cancelled or gone, so that one without a cancellation is another. */
const ENDS_OF_THE_ACCOUNT: readonly (EndReason | null)[] = ['cancelled', 'closed', 'closed_elsewhere'];

/** What the records say of an account of a wallet that is not cancelled on chain. */
export type OnRecord =
  | { readonly kind: 'missing' | 'known' }
  /** A stopped subscription, for whose account a later period was paid. */
  | { readonly kind: 'came_back'; readonly stopped: Subscription };

/**
 * Finds out whether an account that is not cancelled on chain is on record. That its wallet has subscriptions on record says
 * nothing: they may be of earlier accounts at the same address.
 * @param subscriptions the wallet's subscriptions to the plan, without pending ones that nobody has paid
 */
export function onRecord(
  account: SubscriptionView,
  subscriptions: readonly Subscription[],
  plan: Plan,
): OnRecord {
  // What is paid may be this account, and no record says so yet. That of a failed checkout never does.
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
