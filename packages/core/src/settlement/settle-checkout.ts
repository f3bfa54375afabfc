import type { TransactionOutcome } from '../ports/index.js';
import type { Transfer } from '../records/index.js';
import type { LandedCheckout } from './read-landed-checkouts.js';
import { nextPollAt } from './poll-schedule.js';
import { stillAbsent } from './settle-charge.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import { settleLanded } from './settle-landed-checkout.js';

/**
 * Settles a pending subscription by what became of its transaction (contract, States). `landing` is what was read after
 * it landed. Both the submit that waits and the worker's sweep settle through here; whoever commits first wins.
 */
export function settleCheckout(
  row: SubscriptionChanges,
  transfer: Transfer,
  outcome: TransactionOutcome,
  landing: LandedCheckout | null,
  now: Date,
): void {
  switch (outcome.kind) {
    case 'landed':
      // A node that is behind the landing knows nothing of what it made.
      if (landing === null || !landing.view.ok || landing.view.value.slot < outcome.slot) {
        row.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
      } else {
        settleLanded(row, transfer, outcome, landing.view.value, landing.paidFor, now);
      }
      return;
    case 'failed':
      row.keep({ ...transfer, state: 'failed', reasonCode: 'transaction_failed', resolvedAt: now });
      row.apply({ kind: 'checkout_unpaid' }, now);
      return;
    case 'not_found':
      if (stillAbsent(row, transfer, now) === 'read') {
        row.keep({ ...transfer, state: 'lost', reasonCode: 'transaction_expired', resolvedAt: now });
        row.apply({ kind: 'checkout_unpaid' }, now);
      }
      return;
    case 'waiting':
    case 'unknown':
      row.apply({ kind: 'poll_scheduled', nextTryAt: nextPollAt(transfer, now) }, now);
  }
}
