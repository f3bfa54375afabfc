import type { Service } from '../../service.js';
import { isolateFailures } from './isolate-failures.js';
import { resolveTransfers } from './resolve-transfers.js';
import { applyElapsedDeadlines } from './apply-elapsed-deadlines.js';
import { readAndDecide } from './read-and-decide.js';
import { createCommitBuilder } from '../../commits/commit-builder.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { sendCharges } from './send-charges.js';
import { signCharges } from './sign-charges.js';
import { commitEach } from './commit-each.js';

/** Subscriptions worked on together: enough to fill the chain's batches, few enough to finish well within the lease. */
const BATCH = 200;

/** How long a claimed row is out of other workers' sight. A worker that dies holds its rows no longer than this. */
const LEASE_MS = 60_000;

/** What one pass did. */
export interface ChargePass {
  readonly claimed: number;
  readonly sent: number;
}

/**
 * One pass over everything whose time has come: claim, look up what is under way, read, decide, store intents, send.
 * Nothing waits here for the chain to confirm: what was sent comes back by its `wakeAt`. Losing a pass, or dying in the
 * middle of one, loses nothing.
 */
export async function runChargePass(service: Service): Promise<ChargePass> {
  let claimed = 0;
  let sent = 0;
  for (;;) {
    const batch = await service.store.claimDue(service.clock.now(), BATCH, LEASE_MS);
    if (batch.length === 0) return { claimed, sent };
    claimed += batch.length;
    sent += await work(
      service,
      batch.map((one) => new SubscriptionChanges(service, one)),
    );
    if (batch.length < BATCH) return { claimed, sent };
  }
}

async function work(service: Service, rows: readonly SubscriptionChanges[]): Promise<number> {
  const now = service.clock.now();
  const builder = createCommitBuilder(service);
  const live = isolateFailures(service, rows, (row) => applyElapsedDeadlines(row, now));
  // Told apart before anything is looked up: a row whose transfer is settled here is not read a second time.
  const underWay = live.filter((row) => row.openTransfer !== null);
  const due = live.filter((row) => row.openTransfer === null && isDue(row, now));
  const unexplained = await resolveTransfers(service, underWay, now);
  const toRead = [...unexplained, ...due.map((row) => ({ row, refused: null }))];
  const intents = await readAndDecide(service, toRead, now);
  const signed = await signCharges(service, intents, now);
  const fit = isolateFailures(service, live, (row) => reschedule(row, now));
  // What is to be sent goes first: no other row's price or write holds a charge up.
  const toSend = new Set(signed.map(({ row }) => row));
  const stored = await commitEach(
    service,
    builder,
    fit.filter((row) => toSend.has(row)),
    now,
  );
  const sent = await sendCharges(
    service,
    builder,
    signed.filter(({ row }) => stored.has(row)),
  );
  await commitEach(
    service,
    builder,
    fit.filter((row) => !toSend.has(row)),
    now,
  );
  return sent;
}

/** Whether the chain has to be read for a row that has nothing under way. */
function isDue({ subscription }: SubscriptionChanges, now: Date): boolean {
  const charged = ['active', 'unpaid', 'cancelled'].includes(subscription.status);
  return charged && subscription.nextTryAt !== null && subscription.nextTryAt <= now;
}

/** A claimed row that nothing came of is put back to sleep until its next date; an unsigned checkout past its time expires. */
function reschedule(row: SubscriptionChanges, now: Date): void {
  const { status, checkoutExpiresAt } = row.subscription;
  const unsigned = status === 'pending' && row.openTransfer === null;
  if (unsigned && checkoutExpiresAt !== null && checkoutExpiresAt <= now)
    row.apply({ kind: 'checkout_expired' }, now);
  else if (!row.changed) row.apply({ kind: 'rescheduled' }, now);
}
