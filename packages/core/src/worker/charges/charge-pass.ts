import { type Committer, createCommitter } from '../../commits/commit-changes.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { endedAsGone } from '../../rules/reinstatement.js';
import { isHeld, isRunning } from '../../rules/running.js';
import { Semaphore } from '../../ports/semaphore.js';
import type { Service } from '../../service.js';
import { announceRenewals } from './announce-renewals.js';
import { applyAccessEnd } from './apply-decision.js';
import type { AwaitingRefill } from './awaiting-refill.js';
import type { ClockOfPasses } from './clock-of-pass.js';
import { commitBatch } from './commit-batch.js';
import { holdBackLost } from './hold-back-lost.js';
import { isolateFailure, isolateFailures } from './isolate-failures.js';
import { readAndDecide } from './read-and-decide.js';
import { remind } from './remind.js';
import { resolveTransfers } from './resolve-transfers.js';
import { sendCharges } from './send-charges.js';
import { expireCheckouts } from './expire-checkouts.js';
import { signCharges, storeIntents } from './sign-charges.js';
import { SETTLED, inState, type WorkItem, type WorkState } from './work-item.js';

/** Subscriptions of a batch: enough to fill the calls of the chain and of the store. */
const BATCH = 200;

/**
 * Batches at the same time: while one waits for the chain, another uses the processor or the store. When
 * either slows, nothing more is claimed.
 */
const BATCHES_AT_ONCE = 4;

/** How long other workers do not see a claimed subscription, also when its worker dies. */
export const LEASE_MS = 60_000;

/** How long a pass claims subscriptions. The next pass does the rest. */
const CLAIM_FOR_MS = 20_000;

/** How many subscriptions a trace names. */
const NAMED_IN_A_TRACE = 20;

/** The result of one pass. */
export interface ChargePass {
  /** How many subscriptions were claimed. */
  readonly claimed: number;
  /** How many charges were sent. */
  readonly sent: number;
}

const NOTHING_DUE: ChargePass = { claimed: 0, sent: 0 };

/**
 * How often the chain is asked for its time although nothing is due by the host's clock, which may be behind
 * (billing-periods#waiting-for-the-chain-clock).
 */
const ASK_TIME_EVERY_MS = 60_000;

export function createChargePass(
  service: Service,
  clocks: ClockOfPasses,
  awaitingRefill: AwaitingRefill,
): () => Promise<ChargePass> {
  return async () => {
    const firstWake = await service.store.nextWakeAt();
    if (firstWake === null) return NOTHING_DUE;
    if (firstWake > clocks.known.now() && clocks.wasReadWithin(ASK_TIME_EVERY_MS)) return NOTHING_DUE;
    const clock = await clocks.read();
    return firstWake > clock.now() ? NOTHING_DUE : runChargePass({ ...service, clock }, awaitingRefill);
  };
}

/**
 * Works on every subscription whose `wakeAt` has come, batch by batch. The pass does not wait for
 * confirmations: each transfer is looked up when its subscription wakes again. A later pass does what this
 * one could not.
 */
async function runChargePass(service: Service, awaitingRefill: AwaitingRefill): Promise<ChargePass> {
  const { store, clock, telemetry, figures } = service;
  const claimUntil = clock.now().getTime() + CLAIM_FOR_MS;
  const places = new Semaphore(BATCHES_AT_ONCE);
  const failures: unknown[] = [];
  let claimed = 0;
  let sent = 0;

  async function workOnBatch(batch: readonly SubscriptionChanges[]): Promise<void> {
    figures.addClaimed(batch.length);
    try {
      const sentOfBatch = await telemetry.span(
        { kind: 'charges', name: 'charges', details: detailsOf(batch) },
        () => workOn(service, awaitingRefill, batch),
      );
      sent += sentOfBatch;
    } finally {
      figures.addClaimed(-batch.length);
    }
  }

  const batches: Promise<void>[] = [];
  try {
    for (;;) {
      // A place comes before a claim, so that nothing lies claimed while it waits.
      await places.acquire();
      if (failures.length > 0 || clock.now().getTime() >= claimUntil) break;
      const claims = await store.claimDue(clock.now(), BATCH, LEASE_MS);
      for (const { id, error } of claims.unreadable) logUnreadable(service, id, error);
      const batch = claims.claimed.map((claim) => new SubscriptionChanges(service, claim, claim.transfer));
      if (batch.length + claims.unreadable.length === 0) break;
      claimed += batch.length;
      const work = workOnBatch(batch)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => places.release());
      batches.push(work);
    }
  } catch (error) {
    failures.push(error);
  }
  await Promise.all(batches);
  if (failures.length > 0) throw failures[0];
  return { claimed, sent };
}

export function logUnreadable({ logger, alerts }: Service, subscription: string, err: unknown): void {
  logger.error(
    { subscription, err },
    'A subscription cannot be read from the store. Nothing is charged for it until its row is repaired.',
  );
  alerts.seen({ kind: 'subscriptions_failing', subject: 'reading' });
}

/** The details of a batch in a trace: how many subscriptions it has, and the first of them. */
function detailsOf(batch: readonly SubscriptionChanges[]) {
  const ids = batch.slice(0, NAMED_IN_A_TRACE).map(({ subscription }) => subscription.id);
  return { count: batch.length, subscriptions: ids.join(' ') };
}

/**
 * Works on claimed subscriptions, and returns how many charges were sent. Each step takes the items in one
 * state, and leaves them in a later one.
 */
async function workOn(
  service: Service,
  awaitingRefill: AwaitingRefill,
  claimed: readonly SubscriptionChanges[],
): Promise<number> {
  const now = service.clock.now();
  const committer = createCommitter(service);
  const atWork = isolateFailures(service, claimed, (changes) => applyAccessEnd(changes, now));
  // States are set before transfers are resolved: no subscription is read again whose transfer this pass
  // settles.
  const items = atWork.map((changes): WorkItem => ({ changes, state: firstState(changes, now) }));
  await storeAccessEnds(service, committer, items, now);

  await resolveTransfers(service, items, now);
  await readAndDecide(service, items, now);
  await holdBackLost(service, items, now);
  const signed = await signCharges(service, awaitingRefill, items, now);
  await expireCheckouts(service, items, now);
  putToSleep(service, items, now);

  // Charges are stored and sent first, so that no read of a price and no other commit holds them up.
  const toSend = await storeIntents(service, committer, signed, now);
  const sent = await sendCharges(service, committer, toSend);

  await announceRenewals(service, changesIn(items), now);
  await remind(service, changesIn(items), now);
  await commitBatch(service, committer, changesIn(items), now);
  return sent;
}

/**
 * Puts subscriptions with nothing to do back to sleep. The changes of another one may store one of them, such
 * as the subscription that a change of plan replaces: it is left to their commit.
 */
function putToSleep(service: Service, items: readonly WorkItem[], now: Date): void {
  const settled = inState(items, 'settled');
  const storedByOthers = new Set(
    settled.flatMap(({ changes }) => changes.alsoCommitted.map(({ subscription }) => subscription.id)),
  );
  for (const { item, changes } of settled) {
    if (changes.hasChanges) continue;
    if (storedByOthers.has(changes.subscription.id)) item.state = { kind: 'stored' };
    else isolateFailure(service, changes, () => changes.apply({ kind: 'rescheduled' }, now));
  }
}

/** The changes of the settled items, without those of which an announcement failed meanwhile. */
function changesIn(items: readonly WorkItem[]): readonly SubscriptionChanges[] {
  return inState(items, 'settled').map(({ changes }) => changes);
}

/** The first step for a claimed subscription. */
function firstState(changes: SubscriptionChanges, now: Date): WorkState {
  const { openTransfer } = changes;
  if (openTransfer !== null) return { kind: 'unresolved', transfer: openTransfer };
  if (isHeld(changes.subscription)) return SETTLED;
  if (isDue(changes, now)) return { kind: 'unread', isDue: true, refused: null };
  return isCheckDue(changes, now) ? { kind: 'unread', isDue: false, refused: null } : SETTLED;
}

/**
 * Stores ends of access where nothing else is due, before the chain is asked, which may take long to answer.
 */
async function storeAccessEnds(
  service: Service,
  committer: Committer,
  items: readonly WorkItem[],
  now: Date,
): Promise<void> {
  const ended = inState(items, 'settled').filter(({ changes }) => changes.hasChanges);
  if (ended.length === 0) return;
  const batch = ended.map(({ changes }) => changes);
  await commitBatch(service, committer, batch, now);
  for (const { item } of ended) item.state = { kind: 'stored' };
}

/** Whether the next try of a running subscription is due: the chain is read for a charge or an end. */
function isDue({ subscription: { status, nextTryAt } }: SubscriptionChanges, now: Date): boolean {
  return isRunning(status) && nextTryAt !== null && nextTryAt <= now;
}

/**
 * Whether the chain is read although no try is due (plans#daily-read-of-subscriptions): of a subscription
 * that runs, or ended as gone and may be found again. A read must not end any other one once more.
 */
function isCheckDue({ subscription }: SubscriptionChanges, now: Date): boolean {
  const { status, nextCheckAt } = subscription;
  const isRead = isRunning(status) || endedAsGone(subscription);
  return isRead && nextCheckAt !== null && nextCheckAt <= now;
}
