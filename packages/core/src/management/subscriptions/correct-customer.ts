import type * as z from 'zod';

import { commitChanges } from '../../commits/commit-changes.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { atNow } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionWire } from '../../contract/subscription.js';
import { requireSubscription } from '../../operations/require.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import type { SubscriptionUpdate } from './schemas.js';

/**
 * Corrects the customer of a subscription (management#customer-of-a-subscription). Access, lists and later
 * events go by it at once; past deliveries stay.
 */
export async function correctCustomer(
  service: Service,
  project: Project,
  id: string,
  { external_id, email }: z.output<typeof SubscriptionUpdate>,
): Promise<SubscriptionWire> {
  return retryOnConflict(service.clock, async () => {
    const context = await requireSubscription(service, project, id);
    const { subscription } = context;
    if (subscription.status === 'pending')
      throw new ServiceError('conflict', {
        message:
          'The checkout is not paid yet, so it has the customer that create named. Create one for the right customer instead.',
      });
    const at = atNow(service, context);
    const customer = {
      externalId: external_id === undefined ? subscription.externalId : external_id,
      email: email === undefined ? subscription.email : email,
    };
    if (customer.externalId === subscription.externalId && customer.email === subscription.email)
      return subscriptionWire(subscription, at);
    const changes = new SubscriptionChanges(service, context);
    changes.apply({ kind: 'customer_corrected', ...customer }, at.now);
    if ((await commitChanges(service, changes)) === 'lost') return 'lost';
    return subscriptionWire(changes.subscription, at);
  });
}
