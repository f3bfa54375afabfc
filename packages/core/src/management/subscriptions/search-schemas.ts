import * as z from 'zod';

import { SubscriptionStatus } from '../../contract/enums.js';
import {
  booleanOrTextInput,
  emailInput,
  externalIdInput,
  limitInput,
  nextInput,
  slugInput,
  subscriptionIdOrAddressInput,
  walletInput,
} from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { fields } from '../../contract/requests.js';
import { SubscriptionWire } from '../../contract/subscription.js';

/** Which subscriptions of a project to find: those that fit every field that is given. */
export const SubscriptionSearchQuery = fields({
  id: subscriptionIdOrAddressInput
    .optional()
    .describe('Only the subscription with this id, or those at this address on chain.'),
  wallet: walletInput.optional().describe('Only subscriptions of this wallet.'),
  external_id: externalIdInput.optional().describe('Only subscriptions of the customer with your own id.'),
  email: emailInput.optional().describe('Only subscriptions of the customer with this email address.'),
  plan: slugInput.optional().describe('Only subscriptions to the plan with this slug.'),
  status: z
    .enum(SubscriptionStatus.options, { error: 'must be the status of a subscription' })
    .optional()
    .describe('Only subscriptions with this status.'),
  /** Whether `payment_status` is `late`. */
  late: booleanOrTextInput.optional().describe('Only those that are late, or that are not.'),
  /** Whether `blocked_since` is set. */
  blocked: booleanOrTextInput.optional().describe('Only those that are blocked, or that are not.'),
  limit: limitInput(20),
  /** `next` of the previous page, or the id of any subscription of the project. */
  starting_after: nextInput.optional(),
});
export type SubscriptionSearchQuery = z.infer<typeof SubscriptionSearchQuery>;
/** A search for subscriptions of a project. `limit` is 1 to 100, 20 when absent. */
export type SubscriptionSearchQueryInput = z.input<typeof SubscriptionSearchQuery>;

/** A page of the subscriptions that a search found, newest first. */
export const SubscriptionSearchPage = page(
  SubscriptionWire,
  'The subscriptions of this page, newest first.',
).extend({
  /** The `starting_after` of the next page, also when this page found none; null after the last page. */
  next: z.string().nullable(),
  /** The ids of those that fit and that the store cannot read: a row is damaged, or a newer release wrote it. */
  unreadable: z.array(z.string()),
});
export type SubscriptionSearchPage = z.infer<typeof SubscriptionSearchPage>;
