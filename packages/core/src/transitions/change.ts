import type { EventType } from '../contract/enums.js';
import { toWireDate } from '../contract/scalars.js';
import type { Json, Subscription } from '../records/index.js';
import type { Transition } from './transition.js';
import type { AttemptDraft, ChangeContext, EventDraft, RaisedEvent } from './drafts.js';
import { attemptOf } from './attempt.js';
import { eventsOf } from './events.js';
import { nextState } from './next-state.js';
import { entitlement } from '../rules/access.js';
import { subscriptionWire } from '../wire/subscription.js';
import { wakeAt } from '../rules/next-wake.js';

export interface Change {
  readonly after: Subscription;
  readonly attempt: AttemptDraft | null;
  /** In the order of events#order-within-one-change, numbered on from the subscription's last. */
  readonly events: readonly EventDraft[];
}

/** The order of the events of one change (events#order-within-one-change). */
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
export function change(before: Subscription, cause: Transition, now: Date, context: ChangeContext): Change {
  const { plan, tier } = context;
  const moved = nextState(before, cause, now, context);
  const at = before.lastEventAt !== null && before.lastEventAt > now ? before.lastEventAt : now;
  const { access } = entitlement(moved, plan, tier, now);
  const told = [
    ...eventsOf(before, moved, cause, now, context),
    ...(access === before.lastAnnouncedAccess ? [] : [accessEvent(moved, access, now, context)]),
  ].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type));
  const announced: Subscription = {
    ...moved,
    version: before.version + 1,
    lastAnnouncedAccess: access,
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

function accessEvent(moved: Subscription, access: boolean, now: Date, { plan, tier }: ChangeContext): RaisedEvent {
  const { accessUntil } = entitlement(moved, plan, tier, now);
  return {
    type: access ? 'subscription.access_granted' : 'subscription.access_revoked',
    detail: {
      changed_at: toWireDate(now),
      blocked_reason: moved.blockedReason,
      access_until: toWireDate(accessUntil ?? now),
    },
  };
}
