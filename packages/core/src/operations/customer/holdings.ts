import type { Plan, Subscription, SubscriptionForAccess } from '../../records/index.js';
import type { Service } from '../../service.js';
import {
  type CustomerCaller,
  isMadeFor,
  isOfNamed,
  isTimeOver,
  namedCustomer,
  type SessionHistory,
} from './caller.js';

/** A subscription of a customer, as far as lists need it. */
export interface Holding extends SubscriptionForAccess {
  readonly planId: Plan['id'];
}

/**
 * Every subscription that a caller reaches, newest first, without expired checkouts: strangers can open any
 * number of them for an email.
 */
export async function readHoldings(
  service: Service,
  caller: CustomerCaller,
  { purchases }: SessionHistory,
): Promise<readonly Holding[]> {
  const { store } = service;
  const { project, session } = caller;
  const customer = namedCustomer(caller);
  if (customer !== null) {
    const inputs = await store.listForAccess(project.id, customer, null);
    return inputs.flatMap(({ subscription, plan }) =>
      isOfNamed(caller, subscription) ? [{ ...subscription, planId: plan.id }] : [],
    );
  }
  const known = session?.subscriptionId ?? null;
  const one = known === null ? null : await store.findSubscription(project.id, known);
  const isOwn = one !== null && isMadeFor(caller, one);
  const held = [...purchases.map(({ subscription }) => subscription), ...(isOwn ? [one] : [])];
  const all = new Map(held.map((subscription) => [subscription.id, subscription]));
  return [...all.values()].sort(newestFirst);
}

/** The holdings that the caller sees, in the same order (portal#subscriptions-a-customer-sees). */
export function visibleHoldings(
  caller: CustomerCaller,
  holdings: readonly Holding[],
  history: SessionHistory,
  now: Date,
): readonly Holding[] {
  const built = new Map(
    history.built.map(({ subscriptionId, submittedAt }) => [subscriptionId, submittedAt]),
  );
  const isOver = isTimeOver(caller, now);
  return holdings.filter(
    ({ id, status, confirmedAt }) =>
      (confirmedAt !== null || (built.get(id) ?? null) !== null) &&
      status !== 'expired' &&
      status !== 'superseded' &&
      (!isOver || built.has(id)),
  );
}

function newestFirst(a: Subscription, b: Subscription): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
}
