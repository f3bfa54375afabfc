import type { EventType, Network } from '../contract/enums.js';
import type { EVENT_DETAILS, Payment } from '../contract/event-detail.js';
import type { SubscriptionWire } from '../contract/subscription.js';
import { toWireDate } from '../contract/scalars.js';
import { VERSION } from '../contract/version.js';
import type { z } from 'zod';

const DAY_MS = 24 * 3_600_000;

/** An address that is nobody's wallet: it has no private key. */
const NOBODY = '11111111111111111111111111111111';

/** A signature that no transaction has. */
const NO_SIGNATURE = '1'.repeat(64);

/**
 * The body of a test delivery: like the body of an event of this type, about the fictitious subscription `sub_test`, with `test`
 * and without `sequence` (deliveries#test-delivery).
 */
export function testBody(id: string, type: EventType | 'test', network: Network, now: Date): string {
  return JSON.stringify({
    id,
    object: 'event',
    type,
    created_at: toWireDate(now),
    network,
    api_version: VERSION,
    data: fictitiousSubscription(now),
    detail: type === 'test' ? {} : fictitiousDetail(now)[type],
    test: true,
  });
}

const inDays = (now: Date, days: number) => toWireDate(new Date(now.getTime() + days * DAY_MS));

/** One that was paid at `now` for 30 days. */
function fictitiousSubscription(now: Date): SubscriptionWire {
  return {
    id: 'sub_test',
    status: 'active',
    paused: false,
    end_reason: null,
    late_reason: null,
    stop_reason: null,
    access: true,
    payment_status: 'paid',
    blocked_since: null,
    blocked_reason: null,
    plan: 'test',
    wallet: NOBODY,
    email: null,
    external_id: 'test',
    current_period_start: inDays(now, 0),
    current_period_end: inDays(now, 30),
    next_charge_at: inDays(now, 30),
    next_retry_at: null,
    retry_deadline: null,
    next_retry_number: null,
    retries_allowed: null,
    access_until: inDays(now, 30),
    closable: false,
    closable_from: null,
    created_at: inDays(now, 0),
    confirmed_at: inDays(now, 0),
  };
}

type Details = { readonly [Type in EventType]: z.infer<(typeof EVENT_DETAILS)[Type]> };

function fictitiousDetail(now: Date): Details {
  const payment: z.infer<typeof Payment> = {
    amount: '1000000',
    mint: NOBODY,
    period_start: inDays(now, 0),
    period_end: inDays(now, 30),
    signature: NO_SIGNATURE,
  };
  const { signature: _, ...unpaid } = payment;
  const access = { changed_at: inDays(now, 0), blocked_reason: null, access_until: inDays(now, 30) };
  return {
    'subscription.created': { first_payment: payment },
    'subscription.access_granted': access,
    'subscription.access_revoked': { ...access, access_until: inDays(now, 0) },
    'subscription.renewal_upcoming': {
      can_pay: true,
      renewal_issue: null,
      amount: payment.amount,
      mint: payment.mint,
      due_at: inDays(now, 30),
    },
    'subscription.renewed': payment,
    'subscription.payment_failed': {
      ...unpaid,
      reason: 'insufficient_balance',
      next_retry_at: inDays(now, 1),
      retry_deadline: null,
      retries_left: 3,
      retry_mode: 'scheduled',
    },
    'subscription.stopped': { reason: 'insufficient_balance' },
    'subscription.cancelled': {},
    'subscription.resumed': {},
    'subscription.ended': {},
    'subscription.expired': {},
    'subscription.paused': { changed_at: inDays(now, 0) },
    'subscription.unpaused': { changed_at: inDays(now, 0) },
  };
}
