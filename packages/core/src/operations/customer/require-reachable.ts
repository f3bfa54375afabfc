import { ServiceError } from '../../contract/errors.js';
import type { Subscription, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { type CustomerCaller, isMadeFor, isOfNamed, isTimeOver } from './caller.js';

/** The needs of a route, which the caller's session has to meet. */
export interface Need {
  /** The route builds or charges something, which an expired session does not. */
  readonly builds?: boolean;
  /** A route of a first payment: a reserved subscription will do, and its plan must be the checkout's. */
  readonly firstPayment?: boolean;
}

/** A subscription that a caller reaches. */
export interface Reached {
  readonly subscription: Subscription;
  /** Whether it is the caller's: else it is reserved, and the caller sees nothing of it. */
  readonly isOwn: boolean;
}

/**
 * Finds a subscription of the caller. Throws `subscription_not_found` for another customer's, as for none
 * (checkout-sessions#another-customers-subscription), `session_expired` for a subscription with which an
 * expired session does nothing more (checkout-sessions#expired-session), and `plan_not_found` for the first
 * payment of a plan that a checkout does not offer (checkout-sessions#plans-of-a-session).
 */
export async function requireReachable(
  service: Service,
  caller: CustomerCaller,
  id: string,
  { builds = false, firstPayment = false }: Need,
): Promise<Reached> {
  const { store, clock } = service;
  const { project, session } = caller;
  const subscription = await store.findSubscription(project.id, id as SubscriptionId);
  if (subscription === null) throw new ServiceError('subscription_not_found');
  const rows = session === null ? [] : await store.listSessionSubscriptions(session.id);
  const row = rows.find(({ subscriptionId }) => subscriptionId === subscription.id);
  const isSubmitted = row !== undefined && row.submittedAt !== null;
  // Another session may have typed the email of the customer who was named.
  const isReserved = subscription.status === 'pending' && subscription.reservedFor !== null;
  const isNamed = !isReserved && isOfNamed(caller, subscription);
  const isOwn = isSubmitted || isNamed || isMadeFor(caller, subscription);
  if (!isOwn && (row === undefined || !firstPayment)) throw new ServiceError('subscription_not_found');
  if (isTimeOver(caller, clock.now()) && (builds || row === undefined))
    throw new ServiceError('session_expired');
  // Otherwise a checkout would be complete by the payment of another plan.
  if (firstPayment && session?.kind === 'checkout' && !session.planIds.includes(subscription.planId))
    throw new ServiceError('plan_not_found');
  return { subscription, isOwn };
}
