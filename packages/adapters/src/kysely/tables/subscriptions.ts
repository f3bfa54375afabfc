import type {
  AutomaticRetries,
  BuiltTransaction,
  Cancellation,
  Incarnation,
  Lapse,
  Late,
  LinkId,
  PlanId,
  ProjectId,
  SessionId,
  Subscription,
  SubscriptionId,
  Terms,
} from '@subrail/core/ports';
import type {
  BlockedReason,
  EndReason,
  LateReason,
  StopReason,
  SubscriptionStatus,
} from '@subrail/core/schemas';
import { sql } from 'kysely';
import { bigInteger, flag, instant, integer, nullable, text } from '../codec/codec.js';
import { json, object, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

const incarnation = object<Incarnation>({
  generation: bigInteger,
  planCreatedAt: instant,
  anchor: instant,
});

const automatic = object<AutomaticRetries>({
  spent: plain(),
  allowed: plain(),
  waitMs: plain(),
  nextAt: instant,
});

const byHand = object<Late['byHand']>({ count: plain(), lastAt: nullable(instant) });

const late = object<Late>({
  periodStart: instant,
  graceUntil: nullable(instant),
  automatic: nullable(automatic),
  deadline: nullable(instant),
  byHand,
  queuedAt: nullable(instant),
});

const lapse = object<Lapse>({ late, lateReason: nullable(plain()) });

const cancellation = object<Cancellation>({
  confirmedAt: instant,
  expiresAt: instant,
  behind: plain(),
  lapse: nullable(lapse),
});

const terms = object<Terms>({
  message: plain(),
  facts: plain(),
  nonce: plain(),
  expiresAt: instant,
  spentAt: nullable(instant),
});

const built = object<BuiltTransaction>({
  action: plain(),
  transaction: plain(),
  lastValidBlockHeight: bigInteger,
  builtAt: instant,
});

/** Set by the insert, and never changed. */
export const FIXED = [
  'id',
  'project_id',
  'plan_id',
  'wallet',
  'reserved_for',
  'reserved_by_link',
  'address',
  'created_at',
] as const;

/**
 * Indexed columns that seldom change. Setting one rewrites its index entries, even to the same value, so most
 * updates leave these out.
 */
export const SETTLED = [
  'status',
  'external_id',
  'email',
  'paused_at',
  'blocked_since',
  'checkout_expires_at',
  'previous_id',
  'replaced_by_id',
  'confirmed_at',
] as const;

/** The statuses of a running subscription, as literals for partial indexes. */
export const RUNNING = (['active', 'unpaid', 'cancelled'] as const).map((status) => sql.lit(status));

export const subscriptionTable = recordTable<Subscription>()(
  'subscriptions',
  {
    id: text<SubscriptionId>(),
    projectId: text<ProjectId>(),
    planId: text<PlanId>(),
    version: integer,
    status: text<SubscriptionStatus>(),
    wallet: text(),
    externalId: nullable(text()),
    email: nullable(text()),
    reservedFor: nullable(text<SessionId>()),
    customerTyped: flag,
    reservedByLink: nullable(text<LinkId>()),
    address: text(),
    incarnation: nullable(json(incarnation)),
    endReason: nullable(text<EndReason>()),
    lateReason: nullable(text<LateReason>()),
    stopReason: nullable(text<StopReason>()),
    pausedAt: nullable(instant),
    blockedSince: nullable(instant),
    blockedReason: nullable(text<BlockedReason>()),
    blockedAccessUntil: nullable(instant),
    paidPeriodStart: nullable(instant),
    paidPeriodEnd: nullable(instant),
    missedUntil: nullable(instant),
    renewalNoticeNotBefore: nullable(instant),
    reminderNotBefore: nullable(instant),
    late: nullable(json(late)),
    cancellation: nullable(json(cancellation)),
    nextTryAt: nullable(instant),
    goneSince: nullable(instant),
    nextCheckAt: nullable(instant),
    termsSigned: flag,
    checkoutExpiresAt: nullable(instant),
    terms: nullable(json(terms)),
    built: nullable(json(built)),
    lastAnnouncedAccess: flag,
    accessEndsAt: nullable(instant),
    lastSequence: integer,
    lastEventAt: nullable(instant),
    hasHeldEvents: flag,
    paidCount: integer,
    paidAmount: bigInteger,
    previousId: nullable(text<SubscriptionId>()),
    replacedById: nullable(text<SubscriptionId>()),
    createdAt: instant,
    confirmedAt: nullable(instant),
    closedAt: nullable(instant),
    lostAt: nullable(instant),
    wakeAt: nullable(instant),
  },
  // SQL counts the seats that cancelled subscriptions hold until this instant
  // (seats-and-tiers#what-a-seat-is).
  { cancellation_expires_at: (row: Subscription) => row.cancellation?.expiresAt.getTime() ?? null },
);
