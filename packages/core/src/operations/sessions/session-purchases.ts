import type { Project, SessionSubscription, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';

/** A subscription that a session submitted, with its record. */
export interface SessionPurchase {
  readonly submittedAt: Date;
  readonly subscription: Subscription;
}

/** Reads the subscriptions that a session submitted, of those for which it built something. */
export async function readPurchases(
  { store }: Pick<Service, 'store'>,
  project: Project,
  built: readonly SessionSubscription[],
): Promise<readonly SessionPurchase[]> {
  const purchases = await Promise.all(
    built.map(async ({ subscriptionId, submittedAt }): Promise<SessionPurchase | null> => {
      if (submittedAt === null) return null;
      const subscription = await store.findSubscription(project.id, subscriptionId);
      return subscription && { submittedAt, subscription };
    }),
  );
  return purchases.filter((purchase) => purchase !== null);
}
