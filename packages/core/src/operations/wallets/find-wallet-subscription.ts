import type { SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { findProject } from '../find-project.js';
import { findSubscription } from '../find-subscription.js';

/** Finds a confirmed subscription of the wallet, with its plan and project. Throws `subscription_not_found`. */
export async function findWalletSubscription(
  service: Service,
  wallet: string,
  id: string,
): Promise<SubscriptionContext> {
  const found = await service.store.findWalletSubscription(wallet, id as SubscriptionId);
  if (found === null || found.confirmedAt === null) throw new ServiceError('subscription_not_found');
  return findSubscription(service, await findProject(service, found.projectId), id);
}
