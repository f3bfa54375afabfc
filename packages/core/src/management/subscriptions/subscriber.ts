import * as z from 'zod';

import { SubscriptionStatus } from '../../contract/enums.js';
import type { SubscriptionWithPlan } from '../../ports/index.js';

/** Who a subscription is of. */
export const subscriber = {
  subscription: z.string(),
  plan: z.string().describe("The plan's slug."),
  status: SubscriptionStatus,
  wallet: z.string(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
};

/** The fields of `subscriber` in an item of a list. */
export function subscriberWire({ subscription, plan }: SubscriptionWithPlan) {
  const { id, status, wallet, externalId, email } = subscription;
  return { subscription: id, plan: plan.slug, status, wallet, external_id: externalId, email };
}
