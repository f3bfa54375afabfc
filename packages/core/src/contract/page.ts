import * as z from 'zod';

import { subscription } from './example-subscription.js';
import { SubscriptionWire } from './subscription.js';

/** Makes the schema of a page of a list. `data` is what the description of its items says. */
export function page<Item extends z.ZodType>(item: Item, data: string) {
  return z.strictObject({
    data: z.array(item).describe(data),
    has_more: z.boolean().describe('Whether older items follow.'),
  });
}

/** A page of one customer's subscriptions. */
export const SubscriptionPage = page(SubscriptionWire, 'The subscriptions of this page, newest first.').meta({
  answer: 'SubscriptionPage',
  example: { data: [subscription], has_more: false },
});
export type SubscriptionPage = z.infer<typeof SubscriptionPage>;
