import type { Project, Session, SessionSubscription, Subscription } from '../../records/index.js';
import type { SessionPurchase } from '../../rules/session-state.js';
import type { Service } from '../../service.js';

/** A subscription for which a session built something, with its record. */
export interface ReadPurchase extends SessionPurchase, SessionSubscription {
  readonly subscription: Subscription;
}

/**
 * Reads the subscriptions for which a session built something, the latest first. A checkout that expired long
 * ago is not in the store any more, so it is left out.
 */
export async function readPurchases(
  { store }: Pick<Service, 'store'>,
  project: Project,
  session: Pick<Session, 'id'>,
): Promise<readonly ReadPurchase[]> {
  const rows = await store.listSessionSubscriptions(session.id);
  const purchases = await Promise.all(
    rows.map(async (row): Promise<ReadPurchase | null> => {
      const subscription = await store.findSubscription(project.id, row.subscriptionId);
      return subscription && { ...row, confirmed: subscription.confirmedAt !== null, subscription };
    }),
  );
  return purchases.filter((purchase) => purchase !== null);
}
