import type * as z from 'zod';

import { AccessAnswer, AccessAttempt, AccessList } from '../../contract/access.js';
import { AttemptPage, AttemptWire } from '../../contract/attempt.js';
import { BuildAnswer, CostsWire, CreateAnswer, TermsWire } from '../../contract/build.js';
import { Confirmation } from '../../contract/confirmation.js';
import { ErrorBody } from '../../contract/error-body.js';
import { EVENT_DETAILS, Payment } from '../../contract/event-detail.js';
import { EventPage, EventWire } from '../../contract/event.js';
import { SubscriptionPage } from '../../contract/page.js';
import { PlanList, PlanWire } from '../../contract/plan.js';
import { ProjectWire } from '../../contract/project.js';
import { ConfirmBody, CreateBody, SubmitBody } from '../../contract/requests.js';
import { SubscriptionWire } from '../../contract/subscription.js';
import { WALLET_DESCRIPTIONS } from './wallet-descriptions.js';

/** The description of a field by its name, where the name means the same in every object. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  access: 'Whether the subscription grants access now. Gate on it.',
  amount_display: 'The price in whole tokens.',
  amount_received:
    "What the receiver's balance grew by: less than amount when the token has a transfer fee. Null when not paid or not known.",
  api_version: 'The version in which data and detail are written.',
  attempted_at: 'When the charge was tried.',
  attempts: 'The last charges, newest first; present only when the query asks for them.',
  authority:
    "The deposit of the wallet's authority for the token, in lamports; null when the authority exists already.",
  available:
    'Whether a new customer can subscribe: the plan is active, has not ended, and the project has a free seat.',
  available_since: 'No event from before this instant is kept.',
  blocked_reason: "Why charges are blocked, for a reason that is not the customer's. New values may appear.",
  blocked_since: "Since when charges are blocked, for a reason that is not the customer's.",
  can_pay: 'Whether the wallet could pay now.',
  cancelled_at: 'When the cancellation was confirmed; null after a resume.',
  changed_at: 'When the change happened that the event reports.',
  closable: 'Whether the subscriber can close it on chain now and get its deposit back.',
  closable_from:
    'From when a cancelled subscription can be closed, while that is still ahead; null otherwise.',
  code: 'Stable: branch on it, and keep a default branch.',
  confirmed_at: 'When the first payment landed.',
  costs: 'What signing costs the wallet besides the price, in lamports.',
  count: 'The number of paid charges.',
  current_period_end: 'End of the period last paid for.',
  current_period_start: 'Start of the period last paid for.',
  decimals: 'Decimals of the token.',
  description: 'What the plan offers, for people.',
  detail: 'The fields of this type of event.',
  due_at: 'When the next charge is due.',
  end_reason: 'Why it ended; set only when the status is ended.',
  ends_at: "The plan's end date.",
  error: 'The name of the HTTP status.',
  expires_at: 'Until when a signature of these terms is accepted.',
  fee: 'The fees of the transaction; spent, not returned.',
  first_payment: 'The payment that landed first.',
  first_subscribed_at: 'When the customer first subscribed to the plan with this wallet.',
  has_more: 'Whether older items follow.',
  last_valid_block_height: 'The block height after which the transaction can no longer land.',
  late_reason: 'Why a payment is late, by the last failed charge.',
  mint: "The token's address.",
  network: 'The cluster on which payments are made.',
  next_charge_at: 'The next charge; null when a retry is pending instead, or no charge is left to make.',
  next_retry_at: 'The next retry of a late payment.',
  next_retry_number: 'Which retry comes next, 1 for the first.',
  object: 'Always event.',
  outcome: 'The outcome of the charge. New values may appear.',
  paused:
    "True on a seat parked over the project's subscriber limit. The status stays, and nothing is charged.",
  payment_status: 'paid, late (a charge missed and a retry pending), or none (nothing is billed).',
  per_signature: 'The fee for each signature, in lamports.',
  period_end: 'End of the period charged for.',
  period_hours: 'Hours between charges.',
  previous_id: 'The earlier subscription that a comeback continues.',
  priority: 'The priority fee, in lamports.',
  project_name: 'The name of the project that owns the plan.',
  reason_code: 'Why nothing was settled, or what landed instead. Keep a default branch.',
  renewal_issue:
    'Why the wallet could not pay now: balance, or authority when its authorisation is gone or too small; null when it could, and when it is another cause.',
  rent: 'The deposits; returned to the wallet on close.',
  request_id: 'The same as the header Service-Request-Id.',
  retries_left:
    'How many retries of the missed period are left; 0 also when the plan, or the deadline, ends before the next one.',
  retry: 'Whether a charge for this period had failed before.',
  retry_deadline: 'Until when the missed period can be retried; only on the free tier.',
  retry_mode:
    'scheduled when the service retries, manual when each retry must be requested; null when none is left.',
  retry_number:
    'Which retry it was, 1 for the first; null when it was no retry, or a manual one on a tier with automatic retries.',
  retryable: 'Whether the same request sent again unchanged may succeed later.',
  revalidate_after: 'For how many seconds the answer may be cached.',
  sequence: "The event's place among the subscription's events, from 1. Apply events in this order.",
  signatures: 'How many signatures the transaction takes.',
  slug: 'Lowercase letters, digits and single hyphens.',
  statusCode: 'The HTTP status.',
  stop_reason: 'Why it stopped; set only when the status is stopped.',
  subscribed_since: 'When the first payment of the subscription that decides access landed.',
  subscription_id: 'The id of the subscription that decides access; null without one.',
  terms: 'What the wallet signs before the transaction.',
  terms_signature:
    "The wallet's signature of terms.message, or of an envelope around it: 64 bytes in base58 or base64, which may be joined with what was signed.",
  terms_signed_message:
    'The bytes that the wallet says it signed, in base64. Only an envelope that names a domain needs it.',
  tier: "The name of the project's tier, which limits what the project may do.",
  token: 'What is known about the token.',
  transaction_expires_at:
    'About when it becomes too late to submit the signed transaction: 30 seconds before the chain passes last_valid_block_height.',
  type: 'The type of the event. Keep a default branch: new types may appear.',
  verified: 'Whether the service knows the token.',
};

const [SETTLED, UNSETTLED] = Confirmation.options;

/** The descriptions of the fields of one object, whose names mean something else in other objects. */
export const OBJECT_FIELD_DESCRIPTIONS: readonly (readonly [
  object: z.ZodObject,
  descriptions: Readonly<Record<string, string>>,
])[] = [
  [
    SubscriptionWire,
    {
      id: 'Its id, sub_ and 24 letters or digits.',
      status: 'Its state. New values may appear.',
      plan: 'The slug of the plan; null when the plan has none.',
      wallet: 'The address of the paying wallet.',
      email: "Where the customer's notices go, as given at creation; trimmed and lowercased, never verified.",
      external_id: "The integrator's own customer id, as given at creation; trimmed.",
      retries_allowed: 'How many retries the missed period gets.',
      access_until: 'When access ends unless a charge renews it; null while access is false.',
      created_at: 'When it was reserved.',
    },
  ],
  [
    AccessAnswer,
    {
      wallet:
        'The paying wallet of the subscription that decides access; without one, the wallet of the query, or null.',
      plan: 'The slug of the plan.',
      status:
        'The state of the subscription that decides access, or none without one. New values may appear.',
      access_until: 'When access ends unless a charge renews it; null while access is false.',
    },
  ],
  [AccessList, { plans: 'Every plan with a subscription of the customer, sorted by slug.' }],
  [
    AttemptWire,
    {
      id: 'Its id, att_ and 24 letters or digits.',
      reason: 'Why it was not paid, a snake_case name; null when paid. New values may appear.',
      amount: "The amount that was charged, or was to be charged, in the token's smallest unit.",
      amount_usd: 'The amount in dollars, priced once at the charge; null when no price was found.',
      signature: 'The transaction that paid, in base58; null when none did.',
      retries_allowed: 'How many retries the period had then; null when retry_number is.',
      period_start: 'Start of the period charged for; null when the service stopped before reading it.',
    },
  ],
  [
    AccessAttempt,
    {
      reason: 'Why it was not paid, a snake_case name; null when paid. New values may appear.',
      amount: "The amount that was charged, or was to be charged, in the token's smallest unit.",
      signature: 'The transaction that paid, in base58; null when none did.',
    },
  ],
  [
    AttemptPage,
    {
      data: 'The charges of this page, newest first.',
      paid: 'The sum over every paid charge since the subscription began.',
    },
  ],
  [AttemptPage.shape.paid, { amount: "The sum of their amounts, in the token's smallest unit." }],
  [SubscriptionPage, { data: 'The subscriptions of this page, newest first.' }],
  [EventPage, { data: 'The events of this page, newest first.' }],
  [
    EventWire,
    {
      id: 'Its id, evt_ and 24 letters or digits: the same in every delivery.',
      created_at: 'When it happened.',
      data: 'The subscription right after the change that raised the event.',
    },
  ],
  [
    PlanWire,
    {
      name: 'The name of the plan.',
      logo_url: 'The address of its picture.',
      amount: "The price of a period, in the token's smallest unit.",
      amount_usd: "The price in dollars, an estimate that moves with the token's price; null without one.",
      symbol:
        "What amounts are counted in: the token's symbol, or null when it has none or one that passes for a verified token's.",
      status: 'active, or sunset when it takes no new subscriber. New values may appear.',
    },
  ],
  [PlanList, { plans: 'Every published plan, sorted by slug.' }],
  [
    PlanWire.shape.token,
    {
      symbol: 'Its symbol, as the mint gave it when it is not verified; null when the mint gave none.',
      name: 'Its name, as the mint gave it when it is not verified; null when the mint gave none.',
      logo_url: 'The address of its picture.',
    },
  ],
  [
    ProjectWire,
    {
      id: 'Its id, proj_ and 24 letters or digits.',
      name: 'Its name.',
      created_at: 'When it was created.',
    },
  ],
  [BuildAnswer, { transaction: 'The unsigned transaction, in base64, for the wallet to sign.' }],
  [
    CreateAnswer,
    {
      subscription: 'The subscription that was reserved.',
      transaction: 'The unsigned transaction, in base64, for the wallet to sign after the terms.',
    },
  ],
  [
    CreateAnswer.shape.subscription,
    { id: 'Its id, for every further call about it.', status: 'pending until the first payment landed.' },
  ],
  [CostsWire, { total: 'Deposits and fees together, in lamports.' }],
  [
    CostsWire.shape.rent,
    {
      subscription: "The subscription's deposit, in lamports.",
      total: 'Both deposits together, in lamports.',
    },
  ],
  [CostsWire.shape.fee, { total: 'All signatures and the priority fee together, in lamports.' }],
  [TermsWire, { message: 'The text that the wallet signs as it is, with one fact on each line.' }],
  [SETTLED, { subscription: 'The subscription now.' }],
  [
    UNSETTLED,
    {
      subscription: 'The subscription now.',
      reason: 'Why nothing was settled, or what landed instead: a sentence for a person, not to branch on.',
    },
  ],
  [ErrorBody, { message: 'A sentence for a person, or a list of them when the request failed validation.' }],
  [
    CreateBody,
    {
      plan: 'The slug of the plan to subscribe to.',
      wallet: 'The address of the paying wallet.',
      external_id:
        'Your own id of the customer, 1 to 255 characters once trimmed, none of them a control character.',
      email:
        "Where the customer's notices go; trimmed and lowercased, at most 254 characters, never verified.",
    },
  ],
  [
    SubmitBody,
    { transaction: 'The transaction built last for this subscription, signed by the wallet, in base64.' },
  ],
  [ConfirmBody, { signature: 'The signature of the transaction that the wallet sent: base58 of 64 bytes.' }],
  [
    Payment,
    {
      amount: "The amount paid, in the token's smallest unit.",
      period_start: 'Start of the period paid for.',
      signature: 'The transaction that paid, in base58.',
    },
  ],
  [
    EVENT_DETAILS['subscription.access_granted'],
    { access_until: 'When access ends unless a charge renews it; on access_revoked, when it ended.' },
  ],
  [
    EVENT_DETAILS['subscription.renewal_upcoming'],
    { amount: "The amount that will be charged, in the token's smallest unit." },
  ],
  [
    EVENT_DETAILS['subscription.payment_failed'],
    {
      reason: "Why the charge failed, an attempt's reason. New values may appear.",
      amount: "The amount charged for, in the token's smallest unit.",
      period_start: 'Start of the period charged for.',
    },
  ],
  [
    EVENT_DETAILS['subscription.stopped'],
    { reason: "The last charge's reason, or retry_deadline_passed. New values may appear." },
  ],
];

const BY_OBJECT: ReadonlyMap<unknown, Readonly<Record<string, string>>> = new Map([
  ...OBJECT_FIELD_DESCRIPTIONS,
  ...WALLET_DESCRIPTIONS,
]);

/** The description of a field of an object; undefined for a field without one. */
export function descriptionOf(object: z.core.$ZodType, field: string): string | undefined {
  return BY_OBJECT.get(object)?.[field] ?? FIELD_DESCRIPTIONS[field];
}
