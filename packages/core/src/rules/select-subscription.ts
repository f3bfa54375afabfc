import type { PlanForAccess, SubscriptionForAccess } from '../records/index.js';
import type { At } from './at.js';
import { entitlement } from './access.js';

/**
 * Selects the answering subscription among a customer's subscriptions to one plan; null when there is none. One that
 * grants access comes first, then one that was ever paid for, then a failed one, then a pending one
 * (access#which-subscription-answers).
 * @param subscriptions in any order
 */
export function selectSubscription(
  subscriptions: readonly SubscriptionForAccess[],
  at: At<PlanForAccess>,
): SubscriptionForAccess | null {
  const latest = [...subscriptions].sort(newestFirst);
  const granting = latest
    .filter((subscription) => entitlement(subscription, at).access)
    .sort((a, b) => (b.confirmedAt?.getTime() ?? 0) - (a.confirmedAt?.getTime() ?? 0));
  return (
    granting[0] ??
    latest.find(wasPaidFor) ??
    latest.find(({ status }) => status === 'failed') ??
    latest.find(({ status }) => status === 'pending') ??
    null
  );
}

/**
 * When the customer of a subscription first paid for its plan from its wallet; null before the first payment. It counts
 * earlier subscriptions too, so that a comeback keeps the date (access#subscribed-since).
 */
export function firstConfirmedAt(
  subscription: SubscriptionForAccess,
  all: readonly SubscriptionForAccess[],
): Date | null {
  return all
    .filter(
      (other) => other.wallet === subscription.wallet && customerKey(other) === customerKey(subscription),
    )
    .reduce<Date | null>((first, { confirmedAt }) => {
      if (confirmedAt === null || (first !== null && first <= confirmedAt)) return first;
      return confirmedAt;
    }, null);
}

function wasPaidFor({ status }: SubscriptionForAccess): boolean {
  switch (status) {
    case 'active':
    case 'unpaid':
    case 'cancelled':
    case 'stopped':
    case 'ended':
      return true;
    case 'pending':
    case 'failed':
    case 'expired':
    case 'superseded':
      return false;
  }
}

/**
 * The customer as one text: by the external id, else by the email, else a constant (checkout#customer-of-a-checkout).
 */
function customerKey({ externalId, email }: SubscriptionForAccess): string {
  if (externalId !== null) return `external_id ${externalId}`;
  return email === null ? 'no customer' : `email ${email}`;
}

function newestFirst(a: SubscriptionForAccess, b: SubscriptionForAccess): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
}
