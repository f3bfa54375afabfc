import { z } from 'zod';

import { SubscriptionWire } from './subscription.js';

/** Contract, Pagination: newest first. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: z.array(item), has_more: z.boolean() });
}

/** One customer's subscriptions. */
export const SubscriptionPage = page(SubscriptionWire);
export type SubscriptionPage = z.infer<typeof SubscriptionPage>;
