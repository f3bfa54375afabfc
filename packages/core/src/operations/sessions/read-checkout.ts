import { atNow, type SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import type { CheckoutWire } from '../../contract/session.js';
import type { Project, SessionId } from '../../records/index.js';
import { sessionState } from '../../rules/session-state.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { readSlugs } from '../plans/find-plans.js';
import { requireSubscription } from '../require.js';
import { readPurchases, type SessionPurchase } from './session-purchases.js';

/** A checkout as the project's server sees it (checkout-sessions#checkout-of-the-server). */
export async function retrieveCheckout(
  service: Service,
  project: Project,
  id: string,
): Promise<CheckoutWire> {
  const session = await service.store.findSession(project.id, id as SessionId);
  if (session?.kind !== 'checkout') throw new ServiceError('session_not_found');
  const built = await service.store.listSessionSubscriptions(session.id);
  const [purchases, slugs] = await Promise.all([
    readPurchases(service, project, built),
    readSlugs(service, session.planIds),
  ]);
  const shown = await contextOf(service, project, shownPurchase(purchases));
  return {
    id: session.id,
    state: sessionState(session, purchases, service.clock.now()),
    plans: session.planIds.map((planId) => slugs.get(planId) ?? ''),
    external_id: session.externalId,
    email: session.email,
    subscription: shown && subscriptionWire(shown.subscription, atNow(service, shown)),
    link: session.linkId,
    created_at: toWireDate(session.createdAt),
    expires_at: toWireDate(session.expiresAt),
  };
}

/** The records of the purchase that is shown. */
async function contextOf(
  service: Service,
  project: Project,
  purchase: SessionPurchase | null,
): Promise<SubscriptionContext | null> {
  return purchase && requireSubscription(service, project, purchase.subscription.id);
}

/** The purchase that is confirmed, else the one that was submitted last; null without one. */
function shownPurchase(purchases: readonly SessionPurchase[]): SessionPurchase | null {
  const latest = purchases.toSorted((one, other) => Number(other.submittedAt) - Number(one.submittedAt));
  return latest.find(({ subscription }) => subscription.confirmedAt !== null) ?? latest[0] ?? null;
}
