import { BlockedReason } from '@subrail/core/schemas';
import type { Row } from './rows.js';

/** The rows that no test can reach, by the reason why. */
const REASONS: Readonly<Record<string, readonly Row[]>> = {
  'only the operator brings a project over its limit of seats, which the tests of the service show': [
    'Subscription.paused: true',
    'AccessAnswer.paused: true',
    'Event.type: subscription.paused',
    'Event.type: subscription.unpaused',
    'subscription.paused.changed_at: set',
    'subscription.unpaused.changed_at: set',
    'code POST /v1/subscriptions/{id}/retry: 409 subscription_paused',
  ],
  'only records that this service does not make lack what a charge needs': [
    'Attempt.reason: puller_missing',
    'AccessAttempt.reason: puller_missing',
    'Attempt.reason: terms_missing',
    'AccessAttempt.reason: terms_missing',
  ],
  'only where no node has the history of an account, which the tests of the service show': [
    'Confirmation.reason_code: resume_unverified',
  ],
  'answered by management functions only, which the tests of the service show': [
    'code outside of /v1: 400 end_date_too_far',
    'code outside of /v1: 400 end_date_too_soon',
    'code outside of /v1: 403 forbidden',
    'code outside of /v1: 409 conflict',
    'code outside of /v1: 409 end_date_stale',
    'code outside of /v1: 409 mint_amount_scaled',
    'code outside of /v1: 409 plan_name_taken',
    'code outside of /v1: 409 slug_taken',
    'code outside of /v1: 501 not_supported',
  ],
  'answered by the routes of sessions only, which the tests of the service show': [
    'code outside of /v1: 401 invalid_session',
    'code outside of /v1: 401 not_logged_in',
    'code outside of /v1: 403 session_expired',
    'code outside of /v1: 404 link_not_found',
    'code outside of /v1: 404 session_not_found',
    'code outside of /v1: 409 link_ended',
    'code outside of /v1: 409 nothing_to_replace',
    'code outside of /v1: 409 session_complete',
    'code outside of /v1: 409 session_full',
  ],
  'only a plan that takes one subscription of each customer refuses it, which the tests of the service show':
    ['code POST /v1/subscriptions/{id}/resume: 409 already_subscribed'],
  'a server refuses it before it has a request, which the tests of the host show': [
    'code any other path or method: 408 request_timeout',
    'code any other path or method: 417 expectation_failed',
    'code any other path or method: 431 headers_too_large',
  ],
  'only a service on the main cluster answers it; a local chain reads devnet': [
    'Event.network: mainnet-beta',
    'Plan.network: mainnet-beta',
    'Project.network: mainnet-beta',
  ],
  'drafts, closed and failed plans are never answered': [
    'Plan.status: closed',
    'Plan.status: draft',
    'Plan.status: failed',
  ],
  'expired and superseded subscriptions never answer for a plan': [
    'AccessAnswer.status: expired',
    'AccessAnswer.status: superseded',
  ],
  'access is granted again only when the block has ended': BlockedReason.options.map(
    (reason) => `subscription.access_granted.blocked_reason: ${reason}`,
  ),
  'this service has no event from before events were numbered': ['Event.sequence: absent'],
  'every transaction comes with terms, and without a transaction the code is transaction_not_built': [
    'code POST /v1/subscriptions/{id}/submit: 403 terms_missing',
  ],
};

/** The rows that no test can reach, each with the reason. A row that a test reaches must leave the list. */
export const EXCEPTIONS: Readonly<Record<Row, string>> = Object.fromEntries(
  Object.entries(REASONS).flatMap(([reason, rows]) => rows.map((row) => [row, reason])),
);
