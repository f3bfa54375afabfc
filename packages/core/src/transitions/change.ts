import type { EventType } from '../contract/enums.js';
import { toWireDate } from '../contract/scalars.js';
import type { SubscriptionEvent, Subscription } from '../records/index.js';
import type { At } from '../rules/at.js';
import { accessEndsAtLast, entitlement, type Entitlement } from '../rules/access.js';
import { later } from '../rules/billing-periods.js';
import { nextDailyCheck } from '../rules/chain-checks.js';
import { nextWakeAt } from '../rules/next-wake.js';
import { subscriptionWire } from '../wire/subscription.js';
import { type AttemptDraft, attemptOf } from './attempt.js';
import { copySubscription } from './copy-subscription.js';
import { type RaisedEvent, eventsOf } from './events.js';
import { heldStateOf } from './held-state.js';
import { type MailDraft, mailsOf } from './mails.js';
import { type MovementDraft, movementOf } from './movement.js';
import { nextState } from './next-state.js';
import type { Transition } from './transition.js';

/** An event before it has an id. */
type EventDraft = Pick<
  SubscriptionEvent,
  'type' | 'createdAt' | 'sequence' | 'detail' | 'data' | 'heldState'
>;

/** The next version of a subscription with the attempt and the events that belong to it. */
export interface Change {
  /** Why it changed. */
  readonly transition: Transition['kind'];
  readonly after: Subscription;
  readonly attempt: AttemptDraft | null;
  /** Null when the subscription counts as what it counted as before. */
  readonly movement: MovementDraft | null;
  /** In the order of events#order-within-one-change. The sequence continues without a gap. */
  readonly events: readonly EventDraft[];
  /** None when the service sends no mails, or the subscription has no email. */
  readonly mails: readonly MailDraft[];
  /** Why the snapshot of the events could not be made, so that they are held; null when it could. */
  readonly snapshotFailure: { readonly error: unknown } | null;
}

/** The place of each type among the events of one change (events#order-within-one-change). */
const PLACE: Readonly<Record<EventType, number>> = {
  'subscription.created': 0,
  'subscription.renewed': 1,
  'subscription.payment_failed': 2,
  'subscription.stopped': 3,
  'subscription.cancelled': 4,
  'subscription.resumed': 5,
  'subscription.access_revoked': 6,
  'subscription.ended': 7,
  'subscription.expired': 8,
  'subscription.paused': 9,
  'subscription.unpaused': 10,
  'subscription.access_granted': 11,
  // No other event is raised with it.
  'subscription.renewal_upcoming': 12,
};

/**
 * Makes the next version of a subscription. Every change is made here, from the version before, the
 * transition and the instant. An access event is raised exactly when the new version's access differs from
 * the one announced last, whatever the transition was (events#access-event-per-change).
 * @param version the version of the subscription after the change
 */
export function change(
  before: Subscription,
  transition: Transition,
  at: At,
  version = before.version + 1,
): Change {
  const moved = nextState(before, transition, at);
  const entitled = entitlement(moved, at);
  const { access } = entitled;
  const raised = [
    ...eventsOf(before, moved, transition, at),
    ...(access === before.lastAnnouncedAccess ? [] : [accessEvent(moved, entitled, at.now)]),
  ].sort((a, b) => PLACE[a.type] - PLACE[b.type]);
  // The event before it may have been dated by another process, whose clock is ahead of this one's.
  const createdAt = later(at.now, before.lastEventAt);
  const after = copySubscription(moved);
  after.version = version;
  after.lostAt = lostSince(before, moved, at.now);
  after.nextCheckAt = nextCheckAt(moved, transition, at.now);
  after.lastAnnouncedAccess = access;
  after.accessEndsAt = access ? accessEndsAtLast(moved, at) : null;
  after.lastSequence = before.lastSequence + raised.length;
  if (raised.length > 0) after.lastEventAt = createdAt;
  after.wakeAt = nextWakeAt(after, at);
  const { data, heldState, failure } = raised.length === 0 ? NO_SNAPSHOT : snapshot(after, at);
  if (failure !== null) after.hasHeldEvents = true;
  return {
    transition: transition.kind,
    after,
    attempt: attemptOf(before, transition, at),
    movement: movementOf(before, after, createdAt),
    events: raised.map(({ type, detail }, index) => ({
      type,
      createdAt,
      sequence: before.lastSequence + index + 1,
      detail,
      data,
      heldState,
    })),
    mails: mailsOf(before, after, transition, at),
    snapshotFailure: failure,
  };
}

/** When it stopped or ended first, while it has not run again since. */
function lostSince(before: Subscription, { status }: Subscription, now: Date): Date | null {
  switch (status) {
    case 'stopped':
    case 'ended':
      return before.lostAt ?? now;
    case 'cancelled':
    case 'superseded':
      return before.lostAt;
    case 'pending':
    case 'active':
    case 'unpaid':
    case 'failed':
    case 'expired':
      return null;
  }
}

interface Snapshot extends Pick<EventDraft, 'data' | 'heldState'> {
  readonly failure: Change['snapshotFailure'];
}

const NO_SNAPSHOT: Snapshot = { data: null, heldState: null, failure: null };

/** The snapshot of a change's events, or the state from which it is made later. */
function snapshot(after: Subscription, at: At): Snapshot {
  try {
    return { data: subscriptionWire(after, at), heldState: null, failure: null };
  } catch (error) {
    return { data: null, heldState: heldStateOf(after, at), failure: { error } };
  }
}

/** Transitions without a read of the chain before them, after which an overdue check stays due. */
const WITHOUT_A_READ: readonly Transition['kind'][] = [
  'customer_corrected',
  'customer_kept',
  'transaction_built',
  'reminded',
  'reminder_postponed',
  'access_ended',
  'rescheduled',
  'sibling_submitted',
  'change_submitted',
  'paused',
  'unpaused',
  'tier_changed',
];

/** When the chain is next read although nothing is due. Every read puts the next check off. */
function nextCheckAt(moved: Subscription, { kind }: Transition, now: Date): Date | null {
  const dated = moved.nextCheckAt;
  if (kind === 'checked') return dated;
  const next = nextDailyCheck(moved, now);
  const stays = dated !== null && (now < dated || WITHOUT_A_READ.includes(kind));
  return next !== null && stays ? dated : next;
}

function accessEvent(
  { blockedReason }: Subscription,
  { access, accessUntil }: Entitlement,
  now: Date,
): RaisedEvent {
  return {
    type: access ? 'subscription.access_granted' : 'subscription.access_revoked',
    detail: {
      changed_at: toWireDate(now),
      blocked_reason: blockedReason,
      access_until: toWireDate(accessUntil ?? now),
    },
  };
}
