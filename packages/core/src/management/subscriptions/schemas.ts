import * as z from 'zod';

import { AttemptPage } from '../../contract/attempt.js';
import { ReasonCode } from '../../contract/confirmation.js';
import { AttemptOutcome } from '../../contract/enums.js';
import { EventWire } from '../../contract/event.js';
import { emailInput, externalIdInput } from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { amountText, decimalText, isoDate } from '../../contract/scalars.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { DeliveryPage } from '../deliveries/schemas.js';
import { subscriber } from './subscriber.js';

/** A payment that a transaction makes, or failed to make. */
export const TransferWire = z.strictObject({
  id: z.string(),
  /** A first payment, a comeback's payment, or the charge of a later period. */
  kind: z.enum(['subscribe', 'comeback', 'change', 'charge']),
  /** The start of a charge: its schedule, an automatic or a manual retry (`hand`). Null for a checkout. */
  trigger: z.enum(['schedule', 'retry', 'hand']).nullable(),
  /** The transaction's signature. Charges that share a transaction have the same one. */
  signature: z.string(),
  /** `open` while the outcome is unknown; `lost` when it was not on chain after it could no longer land. */
  state: z.enum(['open', 'landed', 'failed', 'lost']),
  /** Start of the billing period that it pays; null for a checkout's payment until it lands. */
  period_start: isoDate.nullable(),
  /** The amount of the payment, in the token's smallest unit. */
  amount: amountText,
  /** The network fee that fell on it, in lamports; null when it is not known. */
  fee_lamports: amountText.nullable(),
  /** Why a checkout did not succeed; null otherwise. */
  reason_code: ReasonCode.nullable(),
  created_at: isoDate,
  /** When its outcome was known. */
  resolved_at: isoDate.nullable(),
});
export type TransferWire = z.infer<typeof TransferWire>;

/** The fields of a subscription for its operator. */
export const SubscriptionInternals = z.strictObject({
  /** The address of the subscription's account on chain. */
  address: z.string(),
  /** Raised by every change of the record. */
  version: z.int().min(0),
  /** When the worker next looks at it, or until when a worker has leased it; null when nothing is due. */
  wake_at: isoDate.nullable(),
  /** When the worker next reads the chain for a charge, a retry, a sent transaction or an end. */
  next_try_at: isoDate.nullable(),
  /** When the worker next reads the chain for it although nothing is due. */
  next_check_at: isoDate.nullable(),
  /** When its manual retry was queued; null when none waits or runs. */
  retry_queued_at: isoDate.nullable(),
  /** When its plan or its account was first found gone, while a second read has not confirmed it. */
  gone_since: isoDate.nullable(),
  /** Whether the wallet's signed terms are stored. Without them nothing is charged. */
  terms_signed: z.boolean(),
  /** When its unpaid checkout expires; null once it is settled. */
  checkout_expires_at: isoDate.nullable(),
  /** When its account was found closed on chain after its end. */
  closed_at: isoDate.nullable(),
  /** The subscription that it continues after a comeback, or replaces by a change of plan. */
  previous_id: z.string().nullable(),
  /** The subscription that replaces it by a change of plan, from the submit on; null when none does. */
  replaced_by_id: z.string().nullable(),
  /** The `sequence` of its last event; 0 before the first. */
  last_sequence: z.int().min(0),
  /** The number of events that are neither listed nor sent until their snapshot can be made. */
  held_events: z.int().min(0),
  /** The transfer whose outcome is not known yet. While there is one, nothing else is charged. */
  open_transfer: TransferWire.nullable(),
});
export type SubscriptionInternals = z.infer<typeof SubscriptionInternals>;

/** The plan that a subscription is charged by. */
export const ChargedPlan = z.strictObject({
  slug: z.string(),
  name: z.string(),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
  /** The price of a period, in the token's smallest unit. */
  amount: amountText,
  period_hours: z.int().min(1).describe('Hours between charges.'),
  ends_at: isoDate.nullable().describe("The plan's end date."),
});
export type ChargedPlan = z.infer<typeof ChargedPlan>;

/** A subscription with its newest attempts, events, transfers and deliveries, at most 20 of each. */
export const SubscriptionDetail = z.strictObject({
  subscription: SubscriptionWire,
  internals: SubscriptionInternals,
  plan: ChargedPlan,
  attempts: AttemptPage,
  /** The events of the last 30 days that are not held. */
  events: page(EventWire, 'The events of this page, newest first.'),
  transfers: page(TransferWire, 'The transfers of this page, newest first.'),
  /** The deliveries of its events to the endpoints of the project. */
  deliveries: DeliveryPage,
});
export type SubscriptionDetail = z.infer<typeof SubscriptionDetail>;

/** The customer of a subscription. A field that is left out stays as it is; null removes it. */
export const SubscriptionUpdate = z.strictObject({
  /** The integrator's own id of the customer. */
  external_id: externalIdInput.nullable().optional(),
  email: emailInput.nullable().optional(),
});

export type SubscriptionUpdate = z.input<typeof SubscriptionUpdate>;

/** The remedies, and who can apply them. */
const toDo = z
  .array(
    z.strictObject({
      who: z.enum(['customer', 'plan_owner', 'token_issuer', 'operator']),
      what: z.string(),
    }),
  )
  .readonly();

const token = {
  symbol: z.string().nullable().describe("The token's symbol; null when it has none that can be shown."),
  mint: z.string().describe("The token's address."),
  decimals: z.int().min(0).describe('Decimals of the token.'),
};

/** How many subscriptions a search would find, and what their next charges come to. */
export const SubscriptionCount = z.strictObject({
  count: z.int().min(0),
  /** Whether there may be more: no more than ten thousand are counted, among a limited number of others. */
  or_more: z.boolean(),
  /** The next charges in each token, of the counted ones that are charged again. */
  next_charges: z.array(
    z.strictObject({
      ...token,
      /** How many of them are charged again. */
      count: z.int().min(1),
      /** The sum of their prices, in the token's smallest unit. */
      amount: amountText,
      /** The same in whole tokens. */
      amount_display: decimalText,
    }),
  ),
});
export type SubscriptionCount = z.infer<typeof SubscriptionCount>;

/** A late or blocked subscription, why it is, and what would help. */
export const FailingWire = z.strictObject({
  ...subscriber,
  /** Whether it fails for a reason that is not the customer's. */
  blocked: z.boolean(),
  /** The blocked reason, the late reason, or the reason of the last rejected charge. */
  reason: z.string().nullable(),
  /** The reason in words, which may be reworded. */
  why: z.string().nullable(),
  /** Since when it is blocked, or the start of the period that is not paid. */
  since: isoDate.nullable(),
  /** The price of the period that is not paid, in the token's smallest unit; 0 while none is due. */
  owed: amountText,
  /** The same in whole tokens. */
  owed_display: decimalText,
  ...token,
  /** The next retry, or the next try of a block. */
  next_try_at: isoDate.nullable(),
  next_retry_number: z.int().min(1).nullable(),
  /** What to do, in sentences for a person, which may be reworded. Empty when nothing helps. */
  to_do: toDo,
});
export type FailingWire = z.infer<typeof FailingWire>;

/** A page of those who fail to pay, newest subscriptions first. */
export const FailingPage = page(FailingWire, 'Those of this page, newest first.').extend({
  /** The `starting_after` of the next page, also when this page found none; null after the last page. */
  next: z.string().nullable(),
  unreadable: z.array(z.string()),
});
export type FailingPage = z.infer<typeof FailingPage>;

/** A subscription whose next charge would fail as the chain is now. */
export const CannotPayWire = z.strictObject({
  ...subscriber,
  kind: z.enum(['charge', 'retry']),
  /** When it is charged next. A date that has passed is overdue. */
  due_at: isoDate,
  /** The outcome of that charge: `rejected` by its wallet's state, `blocked`, or `skipped` before an end. */
  outcome: AttemptOutcome.exclude(['paid']),
  /** The reason that the attempt would have. */
  reason: z.string(),
  /** The reason in words, which may be reworded. */
  why: z.string(),
  /** The amount of that charge, in the token's smallest unit. */
  amount: amountText,
  /** The same in whole tokens. */
  amount_display: decimalText,
  /** The balance of the token account that pays; 0 without one. */
  balance: amountText,
  /** How much of it may still be charged by the approval; 0 when that was taken back. */
  approved: amountText,
  /** By how much the balance is below the amount. */
  missing: amountText,
  missing_display: decimalText,
  ...token,
  /** What to do, in sentences for a person, which may be reworded. Empty when nothing helps. */
  to_do: toDo,
});
export type CannotPayWire = z.infer<typeof CannotPayWire>;

/** A page of those whose next charge would fail, the soonest charge first. */
export const CannotPayPage = page(CannotPayWire, 'Those of this page, the soonest charge first.').extend({
  /** The `starting_after` of the next page, also when this page found none; null after the last page. */
  next: z.string().nullable(),
  unreadable: z.array(z.string()),
});
export type CannotPayPage = z.infer<typeof CannotPayPage>;

/** A page of the subscriptions that a search found, newest first. */
export const SubscriptionSearchPage = page(
  SubscriptionWire,
  'The subscriptions of this page, newest first.',
).extend({
  /** The `starting_after` of the next page, also when this page found none; null after the last page. */
  next: z.string().nullable(),
  /** The ids of matches that the store cannot read: a row is damaged, or a newer release wrote it. */
  unreadable: z.array(z.string()),
});
export type SubscriptionSearchPage = z.infer<typeof SubscriptionSearchPage>;

/**
 * A subscription in sentences for a person, which may be reworded; a program reads the subscription instead.
 */
export const Explanation = z.strictObject({
  subscription: z.string(),
  /** The instant for which it is true, in the service's time. */
  as_of: isoDate,
  /** Whether it grants access. */
  access: z.boolean(),
  /** The state, and the reason of the access. */
  state: z.array(z.string()).readonly(),
  /** The future if nobody does anything, soonest first; `at` is null for "as soon as possible". */
  next: z.array(z.strictObject({ at: isoDate.nullable(), what: z.string() })).readonly(),
  /** The remedies, and who can apply them. Empty when all is well. */
  to_do: toDo,
  /** The past, newest first, at most twenty sentences. */
  happened: z.array(z.strictObject({ at: isoDate, what: z.string() })).readonly(),
});
export type Explanation = z.infer<typeof Explanation>;
