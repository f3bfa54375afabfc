import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { ServiceError } from '../../contract/errors.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireSubscription } from '../require.js';
import { CHECKOUT_MS } from './issue-checkout.js';

/** The most that links of a project keep pending without a submit (checkout-sessions#pending-by-links). */
const PENDING_BY_LINKS = 500;

/** The time for which a wallet may still sign and send a transaction: about 150 blocks. */
const SIGNABLE_MS = 60_000;

/**
 * Makes room for another pending subscription of a link: over the cap, the subscription whose last
 * transaction is the oldest expires. Returns its changes, for the commit that opens the other; null while
 * there is room. Refuses when even that transaction may be in a wallet. The charger signed no part of it, so
 * it never lands.
 */
export async function roomForLink(
  service: Service,
  project: Project,
  now: Date,
): Promise<SubscriptionChanges | null> {
  const { count, oldest } = await service.store.readPendingOfLinks(project.id);
  if (count < PENDING_BY_LINKS || oldest === null) return null;
  const builtAt = (oldest.checkoutExpiresAt ?? now).getTime() - CHECKOUT_MS;
  const waitMs = builtAt + SIGNABLE_MS - now.getTime();
  if (waitMs > 0) throw new ServiceError('pending_cap_reached', { retryAfter: Math.ceil(waitMs / 1000) });
  const context = await requireSubscription(service, project, oldest.id);
  // The version that was chosen, so that a submit since then conflicts.
  const changes = new SubscriptionChanges(service, { ...context, subscription: oldest });
  changes.apply({ kind: 'checkout_expired' }, now);
  return changes;
}
