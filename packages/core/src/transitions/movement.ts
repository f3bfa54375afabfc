import type { Movement, Subscription } from '../records/index.js';

/** A movement before it has an id. */
export type MovementDraft = Omit<Movement, 'id'>;

/**
 * The movement of a change, or null when the subscription runs and recurs as before.
 * @param at the instant of the change, and of its events
 */
export function movementOf(before: Subscription, after: Subscription, at: Date): MovementDraft | null {
  const [ran, runs] = [isRunning(before), isRunning(after)];
  const recurring = (Number(isRecurring(after)) - Number(isRecurring(before))) as Movement['recurring'];
  if (ran === runs && recurring === 0) return null;
  const { projectId, planId, id: subscriptionId } = after;
  return {
    projectId,
    planId,
    subscriptionId,
    at,
    ...(ran === runs ? changeOf(after, recurring) : turnOf(before, after)),
    recurring,
    begunAt: after.confirmedAt ?? at,
  };
}

/** Whether a subscription runs: a cancelled one does until its end is noticed, unless it stopped before. */
function isRunning({ status, lostAt }: Subscription): boolean {
  return status === 'active' || status === 'unpaid' || (status === 'cancelled' && lostAt === null);
}

/** Whether it counts for recurring revenue: it will be charged again, and is paid or in grace. */
function isRecurring({ status, pausedAt, lastAnnouncedAccess }: Subscription): boolean {
  return (status === 'active' || status === 'unpaid') && pausedAt === null && lastAnnouncedAccess;
}

/** A movement that begins or ends a subscription. */
function turnOf(before: Subscription, after: Subscription): Pick<Movement, 'kind' | 'reason'> {
  if (!isRunning(after))
    return { kind: 'ended', reason: after.stopReason ?? after.endReason ?? after.status };
  if (before.status !== 'pending') return { kind: 'reinstated', reason: null };
  // A change of plan has its previous subscription, of another plan, before it is paid.
  const isComeback = before.previousId === null && after.previousId !== null;
  return { kind: isComeback ? 'comeback' : 'new', reason: null };
}

/** A movement of a subscription that runs before and after it. */
function changeOf(
  { status, pausedAt, lateReason, blockedReason }: Subscription,
  recurring: number,
): Pick<Movement, 'kind' | 'reason'> {
  if (recurring === 1) return { kind: 'restored', reason: null };
  if (status === 'cancelled') return { kind: 'lapsed', reason: 'cancelled' };
  if (pausedAt !== null) return { kind: 'lapsed', reason: 'paused' };
  return { kind: 'lapsed', reason: lateReason ?? blockedReason ?? status };
}
