import { atNow } from '../../commits/subscription-context.js';
import type { SubscriptionWire } from '../../contract/subscription.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { requireSubscription } from '../require-subscription.js';

/** One subscription as it is now. A superseded one can still be retrieved (coming-back#superseded-by-a-comeback). */
export async function retrieveSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionWire> {
  const context = await requireSubscription(service, project, id);
  return subscriptionWire(context.subscription, atNow(service, context));
}
