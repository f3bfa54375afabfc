import * as z from 'zod';

import { SubscriptionWire } from './subscription.js';

/** Makes the schema of a page of a list, newest first. `has_more` says whether older items follow. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: z.array(item), has_more: z.boolean() });
}

/** A page of one customer's subscriptions. */
export const SubscriptionPage = page(SubscriptionWire);
export type SubscriptionPage = z.infer<typeof SubscriptionPage>;
