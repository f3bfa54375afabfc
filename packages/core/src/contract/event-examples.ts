import type { EventType } from './enums.js';
import type { EventWire } from './event.js';
import type { SubscriptionWire } from './subscription.js';
import { END, MINT, SIGNATURE, START, subscription } from './example-subscription.js';

const NEXT_END = '2026-12-01T08:30:00.000Z';
const RETRY = '2026-11-02T08:30:00.000Z';

const noAccess = { access: false, access_until: null, next_charge_at: null, payment_status: 'none' } as const;
const late = {
  status: 'unpaid',
  payment_status: 'late',
  late_reason: 'insufficient_balance',
  next_charge_at: null,
  next_retry_at: RETRY,
  next_retry_number: 1,
  retries_allowed: 3,
  access_until: '2026-11-04T08:30:00.000Z',
} as const;
const cancelled = { status: 'cancelled', next_charge_at: null, closable_from: END } as const;
const ended = { ...noAccess, status: 'ended', end_reason: 'cancelled', closable: true } as const;
const parked = { paused: true, payment_status: 'none', next_charge_at: null } as const;
const expired = {
  ...noAccess,
  status: 'expired',
  confirmed_at: null,
  current_period_start: null,
  current_period_end: null,
} as const;
const renewed = {
  current_period_start: END,
  current_period_end: NEXT_END,
  next_charge_at: NEXT_END,
  access_until: NEXT_END,
} as const;

const charge = { amount: '9990000', mint: MINT, period_start: END, period_end: NEXT_END };

interface RaisedEvent {
  /** When the event happened. */
  readonly at: string;
  readonly sequence: number;
  /** The fields in which the subscription differs from one that is active and paid. */
  readonly data: Partial<SubscriptionWire>;
  readonly detail: EventWire['detail'];
}

/** An event of each type. */
const EVENTS: Readonly<Record<EventType, RaisedEvent>> = {
  'subscription.created': {
    at: START,
    sequence: 1,
    data: {},
    detail: { first_payment: { ...charge, period_start: START, period_end: END, signature: SIGNATURE } },
  },
  'subscription.access_granted': {
    at: START,
    sequence: 2,
    data: {},
    detail: { changed_at: START, blocked_reason: null, access_until: END },
  },
  'subscription.access_revoked': {
    at: END,
    sequence: 4,
    data: ended,
    detail: { changed_at: END, blocked_reason: null, access_until: END },
  },
  'subscription.renewal_upcoming': {
    at: '2026-10-29T08:30:00.000Z',
    sequence: 3,
    data: {},
    detail: { can_pay: false, renewal_issue: 'balance', amount: charge.amount, mint: MINT, due_at: END },
  },
  'subscription.renewed': {
    at: END,
    sequence: 3,
    data: renewed,
    detail: { ...charge, signature: SIGNATURE },
  },
  'subscription.payment_failed': {
    at: END,
    sequence: 3,
    data: late,
    detail: {
      ...{ ...charge, reason: 'insufficient_balance', next_retry_at: RETRY, retry_deadline: null },
      ...{ retries_left: 3, retry_mode: 'scheduled' },
    },
  },
  'subscription.stopped': {
    at: '2026-11-04T08:30:00.000Z',
    sequence: 7,
    data: {
      ...noAccess,
      status: 'stopped',
      stop_reason: 'out_of_retries',
      late_reason: 'insufficient_balance',
    },
    detail: { reason: 'insufficient_balance' },
  },
  'subscription.cancelled': { at: '2026-10-09T12:00:00.000Z', sequence: 3, data: cancelled, detail: {} },
  'subscription.resumed': { at: '2026-10-10T12:00:00.000Z', sequence: 4, data: {}, detail: {} },
  'subscription.ended': {
    at: '2026-11-01T08:30:05.000Z',
    sequence: 5,
    data: ended,
    detail: { changed_at: END, end_reason: 'cancelled' },
  },
  'subscription.expired': { at: '2026-10-02T08:59:30.000Z', sequence: 1, data: expired, detail: {} },
  'subscription.paused': {
    at: '2026-10-12T12:00:00.000Z',
    sequence: 3,
    data: parked,
    detail: { changed_at: '2026-10-12T12:00:00.000Z' },
  },
  'subscription.unpaused': {
    at: '2026-10-13T12:00:00.000Z',
    sequence: 4,
    data: {},
    detail: { changed_at: '2026-10-13T12:00:00.000Z' },
  },
};

/** The example of an event of a type, as a webhook delivers it. */
export function eventExample(type: EventType): EventWire {
  const { at, sequence, data, detail } = EVENTS[type];
  return {
    id: 'evt_1Aa2Bb3Cc4Dd5Ee6Ff7Gg8Hh',
    object: 'event',
    type,
    created_at: at,
    network: 'mainnet-beta',
    api_version: '2026-10-02',
    sequence,
    data: { ...subscription, ...data },
    detail,
  };
}
