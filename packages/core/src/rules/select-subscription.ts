import type { PlanForAccess, SubscriptionForAccess } from '../records/index.js';
import type { At } from './at.js';
import { entitlement, type Entitlement } from './access.js';
import { customerOfCheckout, sameCustomer } from './customer.js';

/** The answering subscription, and what it grants. */
export interface Answering {
  readonly subscription: SubscriptionForAccess;
  readonly entitled: Entitlement;
}

/**
 * Selects the answering subscription among a customer's subscriptions to one plan, or null: first one that
 * grants access, then one that was ever paid for, then a failed one, then a pending one
 * (access#which-subscription-answers).
 * @param subscriptions in any order
 */
export function selectSubscription(
  subscriptions: readonly SubscriptionForAccess[],
  at: At<PlanForAccess>,
): Answering | null {
  const latest = [...subscriptions]
    .sort(newestFirst)
    .map((subscription) => ({ subscription, entitled: entitlement(subscription, at) }));
  const granting = latest
    .filter(({ entitled }) => entitled.access)
    .sort((a, b) => confirmedTime(b) - confirmedTime(a));
  return (
    granting[0] ??
    latest.find(({ subscription }) => wasPaidFor(subscription)) ??
    latest.find(({ subscription }) => subscription.status === 'failed') ??
    latest.find(({ subscription }) => subscription.status === 'pending') ??
    null
  );
}

function confirmedTime({ subscription: { confirmedAt } }: Answering): number {
  return confirmedAt?.getTime() ?? 0;
}

/**
 * When the customer of a subscription first paid for its plan from its wallet, or null. Earlier subscriptions
 * count too, so that a comeback keeps the date (access#subscribed-since).
 */
export function firstConfirmedAt(
  subscription: SubscriptionForAccess,
  all: readonly SubscriptionForAccess[],
): Date | null {
  const customer = customerOfCheckout(subscription);
  return all
    .filter(
      (other) => other.wallet === subscription.wallet && sameCustomer(customerOfCheckout(other), customer),
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

function newestFirst(a: SubscriptionForAccess, b: SubscriptionForAccess): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
}
