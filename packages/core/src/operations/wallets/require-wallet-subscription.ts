import type { SubscriptionContext } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireProject } from '../require-project.js';
import { requireSubscription } from '../require-subscription.js';

/** Finds a confirmed subscription of the wallet, with its plan and project. Throws `subscription_not_found`. */
export async function requireWalletSubscription(
  service: Service,
  wallet: string,
  id: string,
): Promise<SubscriptionContext> {
  const found = await service.store.findWalletSubscription(wallet, id as SubscriptionId);
  if (found === null || found.confirmedAt === null) throw new ServiceError('subscription_not_found');
  return requireSubscription(service, await requireProject(service, found.projectId), id);
}
