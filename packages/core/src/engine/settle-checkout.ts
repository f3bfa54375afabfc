import type { Fate } from '../ports/index.js';
import type { Transfer } from '../records/index.js';
import type { Landing } from './landings.js';
import { lookAgain } from './look.js';
import { stillAbsent } from './resolve.js';
import type { Row } from './row.js';
import { settleLanded } from './settle-landed.js';

/**
 * Settles a pending subscription by what became of its transaction (contract, States). `landing` is what was read after
 * it landed. Both the submit that waits and the worker's sweep settle through here; whoever commits first wins.
 */
export function settleCheckout(
  row: Row,
  transfer: Transfer,
  fate: Fate,
  landing: Landing | null,
  now: Date,
): void {
  switch (fate.kind) {
    case 'landed':
      // A node that is behind the landing knows nothing of what it made.
      if (landing === null || !landing.view.ok || landing.view.value.slot < fate.slot) {
        row.apply({ kind: 'looked', again: lookAgain(transfer, now) }, now);
      } else {
        settleLanded(row, transfer, fate, landing.view.value, landing.paidFor, now);
      }
      return;
    case 'failed':
      row.keep({ ...transfer, state: 'failed', reasonCode: 'transaction_failed', resolvedAt: now });
      row.apply({ kind: 'checkout_unpaid' }, now);
      return;
    case 'absent':
      if (stillAbsent(row, transfer, now) === 'read') {
        row.keep({ ...transfer, state: 'lost', reasonCode: 'transaction_expired', resolvedAt: now });
        row.apply({ kind: 'checkout_unpaid' }, now);
      }
      return;
    case 'waiting':
    case 'untold':
      row.apply({ kind: 'looked', again: lookAgain(transfer, now) }, now);
  }
}
