import * as z from 'zod';

import { AttemptPage } from '../../contract/attempt.js';
import { ReasonCode } from '../../contract/confirmation.js';
import { DeliveryPage } from '../deliveries/schemas.js';
import { EventWire } from '../../contract/event.js';
import { page } from '../../contract/page.js';
import { amountText, isoDate } from '../../contract/scalars.js';
import { SubscriptionWire } from '../../contract/subscription.js';

/** One payment that a transaction makes, or failed to make. */
export const TransferWire = z.strictObject({
  id: z.string(),
  /** What it pays: a new subscription's first period, a comeback's, or a later period of either. */
  kind: z.enum(['subscribe', 'comeback', 'charge']),
  /** What started a charge: its schedule, an automatic retry, or a manual retry (`hand`). Null for a checkout's payment. */
  trigger: z.enum(['schedule', 'retry', 'hand']).nullable(),
  /** The transaction's signature. Charges that share a transaction have the same one. */
  signature: z.string(),
  /** `open` while its outcome is not known yet; `lost` when it was not found on chain after it could no longer land. */
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

/** What an operator needs to know of a subscription and its customer does not. */
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
  /** The stopped subscription that it continues, after a comeback. */
  previous_id: z.string().nullable(),
  /** The `sequence` of its last event; 0 before the first. */
  last_sequence: z.int().min(0),
  /** How many of its events are held, and neither listed nor sent until their snapshot can be made. */
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

/** One subscription with its newest attempts, events, transfers and deliveries: at most 20 of each, newest first. */
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
