import { entitlement } from '../../rules/access.js';
import { nextWakeAt } from '../../rules/next-wake.js';
import { isRunning } from '../../rules/running.js';
import { REPORT, type ExaminedSubscription } from './examined-subscription.js';
import type { FindingWire } from './schemas.js';

/** Overdue work becomes a finding after this time. */
const OVERDUE_MS = 10 * 60_000;
const OPEN_TRANSFER_MS = 24 * 3_600_000;

const RUN_THE_WORKER = 'See whether a host runs its worker, and read its log for this subscription.';

/** Checks that the fields of a subscription agree, and that its timed work is dated and done. */
export function checkState({
  subscription,
  at,
  transfers,
  heldByOpenChange,
}: ExaminedSubscription): readonly FindingWire[] {
  const { id, status, wakeAt, incarnation } = subscription;
  const { now } = at;
  const findings: FindingWire[] = [];
  const add = (check: string, what: string, remedy = REPORT, rows: readonly string[] = [id]): void => {
    findings.push({ check, rows, what, remedy });
  };
  const needs = (holds: boolean, what: string): void => {
    if (!holds) add('fields_agree', what);
  };

  needs(
    (status === 'ended') === (subscription.endReason !== null),
    `It is ${status}, and its end reason is ${subscription.endReason ?? 'missing'}.`,
  );
  needs(status !== 'stopped' || subscription.stopReason !== null, 'It is stopped without a reason.');
  needs(
    (status === 'unpaid') === (subscription.late !== null),
    `It is ${status}, and has ${subscription.late === null ? 'no' : 'a'} missed payment.`,
  );
  needs(
    status !== 'cancelled' || subscription.cancellation !== null,
    'It is cancelled without a cancellation.',
  );
  needs(
    (subscription.blockedSince === null) === (subscription.blockedReason === null),
    'It has a block without a reason, or the reason of a block without a date.',
  );
  needs(
    (subscription.paidPeriodStart === null) === (subscription.paidPeriodEnd === null),
    'It has one end of a paid period without the other.',
  );
  needs(!isRunning(status) || incarnation !== null, 'It runs, and its account on chain is not on record.');
  needs(
    subscription.late?.automatic == null ||
      subscription.late.automatic.spent <= subscription.late.automatic.allowed,
    'It has spent more retries than it has.',
  );

  const entitled = entitlement(subscription, at);
  if (entitled.access && (entitled.accessUntil === null || entitled.accessUntil <= now))
    add('access_has_an_end', 'It has access past the date at which access ends.');
  if (isOver(status) && subscription.lastAnnouncedAccess)
    add('no_access_once_over', `It is ${status}, and the last event of its access granted it.`);

  const due = nextWakeAt(subscription, at);
  if (due !== null && wakeAt === null)
    add('timed_work_has_a_date', 'Time alone will change it, and no worker will take it up.');
  else if (wakeAt !== null && now.getTime() - wakeAt.getTime() > OVERDUE_MS)
    add('timed_work_is_done', 'A worker should have taken it up more than ten minutes ago.', RUN_THE_WORKER);
  const open = transfers.filter(({ state }) => state === 'open');
  for (const { id: transfer, createdAt, signature } of open) {
    if (now.getTime() - createdAt.getTime() > OPEN_TRANSFER_MS)
      add(
        'transfers_are_resolved',
        `The outcome of transaction ${signature} has not been known for more than a day.`,
        'Use an RPC server that keeps the history of the ledger.',
        [id, transfer],
      );
  }
  if (open.length > 1)
    add('one_open_transfer', 'More than one of its transactions is open.', REPORT, [
      id,
      ...open.map((one) => one.id),
    ]);
  if (heldByOpenChange === false)
    add('held_by_an_open_change', 'It is held by a change of plan that cannot land, and is not charged.');
  if (subscription.hasHeldEvents)
    add(
      'events_are_released',
      'An event of it is held, and its later events wait behind it.',
      'Read the log for the reason, mend it, and run rebuildSnapshots of the worker.',
    );
  return findings;
}

function isOver(status: string): boolean {
  return ['ended', 'stopped', 'failed', 'expired', 'superseded'].includes(status);
}
