import type { SubscriptionContext } from '../../commits/subscription-context.js';
import type { Project, Session, SessionSubscription } from '../../records/index.js';
import type { SessionPurchase } from '../../rules/session-state.js';
import type { Service } from '../../service.js';

/** A subscription for which a session built something, with its records. */
export interface ReadPurchase extends SessionPurchase, SessionSubscription {
  readonly context: SubscriptionContext;
}

/**
 * Reads the subscriptions for which a session built something, the latest first. A checkout that expired long
 * ago is not in the store any more, so it is left out.
 */
export async function readPurchases(
  service: Service,
  project: Project,
  session: Pick<Session, 'id'>,
): Promise<readonly ReadPurchase[]> {
  const { store } = service;
  const rows = await store.listSessionSubscriptions(session.id);
  const purchases = await Promise.all(
    rows.map(async (row): Promise<ReadPurchase | null> => {
      const subscription = await store.findSubscription(project.id, row.subscriptionId);
      if (subscription === null) return null;
      const plan = await store.findPlan(subscription.planId);
      if (plan === null)
        throw new Error(
          `Plan ${subscription.planId} of subscription ${subscription.id} is not in the store.`,
        );
      const confirmed = subscription.confirmedAt !== null;
      return { ...row, confirmed, context: { project, plan, subscription } };
    }),
  );
  return purchases.filter((purchase) => purchase !== null);
}
