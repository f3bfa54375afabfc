import * as z from 'zod';

import { SubscriptionStatus } from '../../contract/enums.js';
import { ExportFormat } from '../../contract/export-format.js';
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
import { fields } from '../../contract/requests.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { daysAheadInput } from '../reports/schemas.js';

/** Which subscriptions of a project to find: those that fit every field that is given. */
export const SubscriptionSearch = fields({
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
  /** Whether it is late or blocked. */
  failing: booleanOrTextInput.optional().describe('Only those that are late or blocked, or that are not.'),
  /** Whether it is cancelled and not over yet, or its plan has an end. */
  ending: booleanOrTextInput
    .optional()
    .describe('Only those that end: cancelled ones, and those of a plan with an end; or only the others.'),
});
export type SubscriptionSearch = z.infer<typeof SubscriptionSearch>;

/** A request for a page of a search. */
export const SubscriptionSearchQuery = SubscriptionSearch.extend({
  limit: limitInput(20),
  /** `next` of the previous page, or the id of any subscription of the project. */
  starting_after: nextInput.optional(),
});
export type SubscriptionSearchQuery = z.infer<typeof SubscriptionSearchQuery>;
/** A search for subscriptions of a project. `limit` is 1 to 100, 20 when absent. */
export type SubscriptionSearchQueryInput = z.input<typeof SubscriptionSearchQuery>;

/** Which subscriptions to count: those that fit every field that is given. */
export type SubscriptionSearchInput = z.input<typeof SubscriptionSearch>;

/** A request for a page of those who fail to pay. */
export const FailingQuery = fields({
  plan: slugInput.optional().describe('Only subscriptions to the plan with this slug.'),
  limit: limitInput(20),
  starting_after: nextInput.optional(),
});
export type FailingQuery = z.infer<typeof FailingQuery>;
/** A request for a page of those who fail to pay. `limit` is 1 to 100, 20 when absent. */
export type FailingQueryInput = z.input<typeof FailingQuery>;

/** A request for a page of those whose next charge would fail. */
export const CannotPayQuery = fields({
  plan: slugInput.optional().describe('Only subscriptions to the plan with this slug.'),
  days: daysAheadInput
    .optional()
    .describe('Only those charged within so many days from now, 1 to 90; all when absent.'),
  limit: limitInput(20),
  starting_after: nextInput.optional(),
});
export type CannotPayQuery = z.infer<typeof CannotPayQuery>;
/** A request for a page of those whose next charge would fail. `limit` is 1 to 100, 20 when absent. */
export type CannotPayQueryInput = z.input<typeof CannotPayQuery>;

/** Which subscriptions to export, and in which form. */
export const SubscriptionExport = SubscriptionSearch.extend({ format: ExportFormat });
export type SubscriptionExport = z.infer<typeof SubscriptionExport>;
/** Which subscriptions to export: those that a search would find, as `csv` or `ndjson`. */
export type SubscriptionExportInput = z.input<typeof SubscriptionExport>;

/** The columns of an export, in their order, to which releases add others at the end. */
export const SUBSCRIPTION_COLUMNS = [
  ...SubscriptionWire.keyof().options,
  'paid_count',
  'paid_amount',
  'decimals',
  'mint',
] as const;
