import { BlockedReason } from '@subrail/core';
import type { Row } from './rows.js';

/** Why nothing reaches some rows, and which. */
const CAUSES: Readonly<Record<string, readonly Row[]>> = {
  'the charge engine: seats parked over the subscriber limit (seats-and-tiers#parking-order)': [
    'Subscription.paused: true',
    'AccessAnswer.paused: true',
    'Event.type: subscription.paused',
    'Event.type: subscription.unpaused',
    'subscription.paused.changed_at: set',
    'subscription.unpaused.changed_at: set',
    'code POST /v1/subscriptions/{id}/retry: 409 subscription_paused',
  ],
  'the charge engine: the notice before a renewal (events#event-types-and-detail)': [
    'Event.type: subscription.renewal_upcoming',
    'subscription.renewal_upcoming.amount: set',
    'subscription.renewal_upcoming.can_pay: false',
    'subscription.renewal_upcoming.can_pay: true',
    'subscription.renewal_upcoming.due_at: set',
    'subscription.renewal_upcoming.mint: set',
    'subscription.renewal_upcoming.renewal_issue: authority',
    'subscription.renewal_upcoming.renewal_issue: balance',
    'subscription.renewal_upcoming.renewal_issue: null',
  ],
  'the charge engine: every plan and subscription on record was made through the service, with all a charge needs':
    [
      'Attempt.reason: puller_missing',
      'AccessAttempt.reason: puller_missing',
      'Attempt.reason: terms_missing',
      'AccessAttempt.reason: terms_missing',
    ],
  'management function; not on /v1': [
    'code management: 400 end_date_too_far',
    'code management: 400 end_date_too_soon',
    'code management: 403 forbidden',
    'code management: 409 conflict',
    'code management: 409 end_date_stale',
    'code management: 409 plan_name_taken',
    'code management: 409 slug_taken',
  ],
  'a service on the main cluster: a local chain reads devnet (plans#display-amount)': [
    'Event.network: mainnet-beta',
    'Plan.network: mainnet-beta',
    'Project.network: mainnet-beta',
  ],
  'never: drafts, closed and failed plans are not told (plans#listed-plans)': [
    'Plan.status: closed',
    'Plan.status: draft',
    'Plan.status: failed',
  ],
  'never: expired and superseded ones do not answer for a plan (access#which-subscription-answers)': [
    'AccessAnswer.status: expired',
    'AccessAnswer.status: superseded',
  ],
  'never: access comes back with what ends the block (blocks#program-refusal-explained-by-a-read)':
    BlockedReason.options.map((reason) => `subscription.access_granted.blocked_reason: ${reason}`),
  'never: bodies from before events were numbered, of which this service has none': [
    'Event.sequence: absent',
  ],
  'never: no transaction is handed out without terms, and without one it is transaction_not_built (checkout#order-of-create-refusals, submit 4)':
    ['code POST /v1/subscriptions/{id}/submit: 403 terms_missing'],
};

/** Rows no test can reach, each with what it waits for. One that is reached all the same must leave the list. */
export const WAITS_FOR: Readonly<Record<Row, string>> = Object.fromEntries(
  Object.entries(CAUSES).flatMap(([cause, rows]) => rows.map((row) => [row, cause])),
);
