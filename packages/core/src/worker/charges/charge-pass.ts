import { createCommitter } from '../../commits/commit-changes.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { Service } from '../../service.js';
import { applyElapsedDeadlines } from './apply-elapsed-deadlines.js';
import { commitEach } from './commit-each.js';
import { isolateFailures } from './isolate-failures.js';
import { readAndDecide } from './read-and-decide.js';
import { resolveTransfers } from './resolve-transfers.js';
import { sendCharges } from './send-charges.js';
import { signCharges } from './sign-charges.js';

/**
 * How many subscriptions are worked on together: enough to fill the chain's batches, few enough to finish within the
 * lease.
 */
const BATCH = 200;

/**
 * How long other workers do not see a claimed subscription. A worker that dies keeps its claims no longer than this.
 */
const LEASE_MS = 60_000;

/** What one pass did. */
export interface ChargePass {
  /** How many subscriptions were claimed. */
  readonly claimed: number;
  /** How many charges were sent. */
  readonly sent: number;
}

/**
 * Works on every subscription whose `wakeAt` has come, batch by batch. It does not wait for the chain to confirm what
 * it sent: each transfer is looked up when its subscription wakes again. When the process dies during a pass, a later
 * pass does the rest.
 */
export async function runChargePass(service: Service): Promise<ChargePass> {
  let claimed = 0;
  let sent = 0;
  for (;;) {
    const claims = await service.store.claimDue(service.clock.now(), BATCH, LEASE_MS);
    if (claims.length === 0) return { claimed, sent };
    claimed += claims.length;
    sent += await workOn(
      service,
      claims.map((claim) => new SubscriptionChanges(service, claim, claim.transfer)),
    );
    if (claims.length < BATCH) return { claimed, sent };
  }
}

/** Works on claimed subscriptions, and returns how many charges were sent. */
async function workOn(service: Service, claimed: readonly SubscriptionChanges[]): Promise<number> {
  const now = service.clock.now();
  const committer = createCommitter(service);

  const batch = isolateFailures(service, claimed, (changes) => applyElapsedDeadlines(changes, now));
  // These are chosen before transfers are resolved, so that this pass does not read a subscription again whose transfer
  // is settled below.
  const due = batch.filter((changes) => isDue(changes, now));

  const requests = await resolveTransfers(service, batch, now);
  const toRead = [...requests, ...due.map((changes) => ({ changes, refused: null }))];
  const planned = await readAndDecide(service, toRead, now);
  const signed = await signCharges(service, planned, now);
  const ready = isolateFailures(service, batch, (changes) => reschedule(changes, now));

  // Charges are stored and sent first, so that no read of a price and no other commit holds them up.
  const charging = new Set(signed.map(({ changes }) => changes));
  const withIntent = ready.filter((changes) => charging.has(changes));
  const stored = await commitEach(service, committer, withIntent, now);
  const toSend = signed.filter(({ changes }) => stored.has(changes));
  const sent = await sendCharges(service, committer, toSend);

  const others = ready.filter((changes) => !charging.has(changes));
  await commitEach(service, committer, others, now);
  return sent;
}

/** Whether the chain has to be read for a charge, or for an end: no transfer is open and the next try is due. */
function isDue(
  { subscription: { status, nextTryAt }, openTransfer }: SubscriptionChanges,
  now: Date,
): boolean {
  const running = status === 'active' || status === 'unpaid' || status === 'cancelled';
  return openTransfer === null && running && nextTryAt !== null && nextTryAt <= now;
}

/** Expires a checkout that was not signed in time, and puts a subscription with nothing to do back to sleep. */
function reschedule(changes: SubscriptionChanges, now: Date): void {
  const { status, checkoutExpiresAt } = changes.subscription;
  const unsigned = status === 'pending' && changes.openTransfer === null;
  if (unsigned && checkoutExpiresAt !== null && checkoutExpiresAt <= now) {
    changes.apply({ kind: 'checkout_expired' }, now);
  } else if (!changes.hasChanges) {
    changes.apply({ kind: 'rescheduled' }, now);
  }
}
