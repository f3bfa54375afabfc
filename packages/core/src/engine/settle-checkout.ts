import type { ReasonCode } from '../contract/confirmation.js';
import type { Answer, ChargeView, Fate } from '../ports/index.js';
import type { Plan, Transfer } from '../records/index.js';
import { periodMs } from '../records/index.js';
import { lookAgain } from './look.js';
import { stillAbsent } from './resolve.js';
import type { Row } from './row.js';

/**
 * Settles a pending subscription by what became of its subscribing transaction (contract, States). `view` is what
 * `landedView` read after it landed. Both the submit that waits and the worker's sweep settle through here; whoever commits first wins.
 */
export function settleCheckout(
  row: Row,
  transfer: Transfer,
  fate: Fate,
  view: Answer<ChargeView> | null,
  now: Date,
): void {
  switch (fate.kind) {
    case 'landed':
      // A node that is behind the landing knows nothing of what it made.
      if (view === null || !view.ok || view.value.slot < fate.slot) {
        row.apply({ kind: 'looked', again: lookAgain(transfer, now) }, now);
      } else {
        settleLanded(row, transfer, fate, view.value, now);
      }
      return;
    case 'failed':
      row.keep({ ...transfer, state: 'failed', reasonCode: 'transaction_failed', resolvedAt: now });
      row.apply({ kind: 'checkout_unpaid', submittedAt: transfer.createdAt }, now);
      return;
    case 'absent':
      if (stillAbsent(row, transfer, now) === 'read') {
        row.keep({ ...transfer, state: 'lost', reasonCode: 'transaction_expired', resolvedAt: now });
        row.apply({ kind: 'checkout_unpaid', submittedAt: transfer.createdAt }, now);
      }
      return;
    case 'waiting':
    case 'untold':
      row.apply({ kind: 'looked', again: lookAgain(transfer, now) }, now);
  }
}

function settleLanded(
  row: Row,
  transfer: Transfer,
  fate: Extract<Fate, { kind: 'landed' }>,
  view: ChargeView,
  now: Date,
): void {
  const { plan } = row;
  const anchor =
    view.subscription === null ? fate.time : anchorOf(view.subscription.periodStart, fate.time, plan);
  const reasonCode = mismatch(view, plan);
  const payment = {
    amount: transfer.amount,
    received: fate.received,
    periodStart: anchor,
    signature: transfer.signature,
  };
  row.keep({ ...transfer, state: 'landed', periodStart: anchor, reasonCode, resolvedAt: now });
  if (view.subscription === null || reasonCode !== null) {
    row.apply({ kind: 'checkout_failed', payment }, now);
    return;
  }
  row.apply(
    {
      kind: 'first_payment',
      payment,
      landedAt: fate.time,
      previousId: null,
      incarnation: {
        generation: view.subscription.generation,
        planCreatedAt: view.subscription.planCreatedAt,
        anchor,
      },
    },
    now,
  );
}

/** Why what stands on chain is not what was reserved, or null when it is. */
function mismatch(view: ChargeView, plan: Plan): ReasonCode | null {
  if (view.subscription === null) return 'subscription_remade';
  const { amount, periodHours, planCreatedAt } = view.subscription;
  const same =
    amount === plan.amount &&
    periodHours === plan.periodHours &&
    planCreatedAt.getTime() === plan.createdOnChainAt?.getTime();
  return same ? null : 'subscription_mismatch';
}

/**
 * The anchor of the grid: the recorded period's start, or, when later periods were paid before this look, as many
 * whole periods before it as bring it next to the landing.
 */
function anchorOf(periodStart: Date, landedAt: Date, plan: Plan): Date {
  const length = periodMs(plan);
  const periods = Math.round((periodStart.getTime() - landedAt.getTime()) / length);
  return new Date(periodStart.getTime() - periods * length);
}
