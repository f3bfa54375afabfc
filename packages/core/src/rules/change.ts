import type { EventType } from '../contract/enums.js';
import { toWireDate } from '../contract/scalars.js';
import type { Json, Subscription } from '../records/index.js';
import type { Cause } from './cause.js';
import type { AttemptDraft, ChangeContext, EventDraft, Told } from './drafts.js';
import { attemptOf } from './attempt-of.js';
import { eventsOf } from './events-of.js';
import { nextState } from './next-state.js';
import { standing } from './standing.js';
import { subscriptionWire } from './subscription-wire.js';
import { wakeAt } from './wake.js';

export interface Change {
  readonly after: Subscription;
  readonly attempt: AttemptDraft | null;
  /** In the order of D19.1, numbered on from the subscription's last. */
  readonly events: readonly EventDraft[];
}

/** The order of the events of one change (D19.1). */
const ORDER: readonly EventType[] = [
  'subscription.created',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.stopped',
  'subscription.cancelled',
  'subscription.resumed',
  'subscription.access_revoked',
  'subscription.ended',
  'subscription.expired',
  'subscription.paused',
  'subscription.unpaused',
  'subscription.access_granted',
];

/**
 * The one door: every next version of a subscription is made here, from what was, why it changes and when.
 * Whatever the cause, the access told last is compared with the access that stands now, so that an access event is sent
 * exactly when the access changes.
 */
export function change(before: Subscription, cause: Cause, now: Date, context: ChangeContext): Change {
  const { plan, tier } = context;
  const moved = nextState(before, cause, now, context);
  const at = before.lastEventAt !== null && before.lastEventAt > now ? before.lastEventAt : now;
  const { access } = standing(moved, plan, tier, now);
  const told = [
    ...eventsOf(before, moved, cause, now, context),
    ...(access === before.accessAnnounced ? [] : [accessEvent(moved, access, now, context)]),
  ].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
  const announced: Subscription = {
    ...moved,
    version: before.version + 1,
    accessAnnounced: access,
    lastSequence: before.lastSequence + told.length,
    lastEventAt: told.length === 0 ? before.lastEventAt : at,
  };
  const after: Subscription = { ...announced, wakeAt: wakeAt(announced, plan, tier, now) };
  const data: Json = subscriptionWire(after, plan, tier, now);
  return {
    after,
    attempt: attemptOf(before, cause, now, plan),
    events: told.map((event, index) => ({
      ...event,
      createdAt: at,
      sequence: before.lastSequence + index + 1,
      data,
    })),
  };
}

function accessEvent(moved: Subscription, access: boolean, now: Date, { plan, tier }: ChangeContext): Told {
  const { accessUntil } = standing(moved, plan, tier, now);
  return {
    type: access ? 'subscription.access_granted' : 'subscription.access_revoked',
    detail: {
      changed_at: toWireDate(now),
      blocked_reason: moved.blockedReason,
      access_until: toWireDate(accessUntil ?? now),
    },
  };
}
