import type { CheckoutState } from '../../contract/session.js';
import type { Customer } from '../../ports/index.js';
import type { Project, Session, SessionSubscription, Subscription } from '../../records/index.js';
import { customerOfCheckout, sameCustomer } from '../../rules/customer.js';
import { sessionState } from '../../rules/session-state.js';
import type { Service } from '../../service.js';
import { readPurchases, type SessionPurchase } from '../sessions/session-purchases.js';

/** The caller of a route of a customer, in one project. */
export interface CustomerCaller {
  readonly project: Project;
  /** The session whose secret was sent; null for a customer of an app. */
  readonly session: Session | null;
  /** The customer, as the server or the app named it; null when nobody did. */
  readonly customer: { readonly externalId: string | null; readonly email: string | null } | null;
  /** The slugs of the plans that an app offers; null for every published one, and with a session. */
  readonly plans: readonly string[] | null;
}

/** The caller who sent the secret of a session. */
export function callerOfSession(project: Project, session: Session): CustomerCaller {
  const { externalId, email, subscriptionId } = session;
  const isNamed = subscriptionId === null && (externalId !== null || email !== null);
  const customer = isNamed ? { externalId, email } : null;
  return { project, session, customer, plans: null };
}

/** The customer by whom the caller's subscriptions are found; null when nobody was named. */
export function namedCustomer({ customer }: CustomerCaller): Customer | null {
  return customer === null ? null : customerOfCheckout({ ...customer, wallet: '' });
}

/** Whether a subscription is of the customer who was named (checkout-sessions#customer-of-a-session). */
export function isOfNamed(
  caller: CustomerCaller,
  subscription: Pick<Subscription, 'externalId' | 'email' | 'wallet'>,
): boolean {
  const named = namedCustomer(caller);
  return named !== null && sameCustomer(customerOfCheckout(subscription), named);
}

/**
 * Whether the caller's session was made for a subscription. That of a mail reaches it until its customer has
 * another email (mails#link-of-a-mail).
 */
export function isMadeFor(
  { session }: CustomerCaller,
  { id, email }: Pick<Subscription, 'id' | 'email'>,
): boolean {
  if (session === null || session.subscriptionId !== id) return false;
  return session.email === null || session.email === email;
}

/** Whether the time of the caller's session is over, complete or not. */
export function isTimeOver({ session }: CustomerCaller, now: Date): boolean {
  return session !== null && now >= session.expiresAt;
}

/** Whether a create of the caller may carry an email. */
export function asksEmail({ session, customer }: CustomerCaller): boolean {
  return session?.askEmail === true && (customer?.email ?? null) === null;
}

/** The work of a caller's session until now; none of a customer of an app. */
export interface SessionHistory {
  /** The subscriptions for which it built something, the latest first. */
  readonly built: readonly SessionSubscription[];
  /** The subscriptions that it submitted. */
  readonly purchases: readonly SessionPurchase[];
  readonly state: CheckoutState;
}

export async function readHistory(
  service: Service,
  { project, session }: CustomerCaller,
): Promise<SessionHistory> {
  if (session === null) return { built: [], purchases: [], state: 'open' };
  const built = await service.store.listSessionSubscriptions(session.id);
  const purchases = await readPurchases(service, project, built);
  return { built, purchases, state: sessionState(session, purchases, service.clock.now()) };
}

/** Stores that the caller's session built something for a subscription. */
export async function reserve(
  { store, clock }: Service,
  { session }: CustomerCaller,
  subscriptionId: Subscription['id'],
): Promise<void> {
  if (session === null) return;
  await store.reserveForSession({ sessionId: session.id, subscriptionId, reservedAt: clock.now() });
}
