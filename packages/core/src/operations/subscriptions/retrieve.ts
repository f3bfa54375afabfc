import type { SubscriptionWire } from '../../contract/subscription.js';
import type { Project } from '../../records/index.js';
import { subscriptionWire } from '../../wire/subscription.js';
import type { Service } from '../../service.js';
import { findSubscription } from '../find-subscription.js';

/** One subscription as it stands now; a superseded one still answers here (contract, retrieve). */
export async function retrieveSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionWire> {
  const { subscription, plan } = await findSubscription(service, project, id);
  return subscriptionWire(subscription, plan, service.settings.tiers[project.tier], service.clock.now());
}
