import { newTransfer } from '../commits/new-transfer.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ChainResult, ChargeView, LandedPayment, SubscriptionHistory } from '../ports/index.js';
import type { Plan, Subscription, Transfer } from '../records/index.js';
import { periodPaidAt, plus } from '../rules/billing-periods.js';
import { ownAccount } from '../rules/incarnation.js';
import type { Service } from '../service.js';
import { chargeTarget, readChargeViews } from './read-charge-views.js';
import type { LandedOutcome } from './read-outcomes.js';

/** How much the time of a block may differ from the chain's clock while it was made. */
export const BLOCK_TIME_MS = 30_000;
/** How much the service's clock may have differed from the chain's when a transaction was stored. */
const HOST_TIME_MS = 10 * 60_000;

/** A transfer that landed, as the history of the subscription's account shows it. */
export interface FoundTransfer {
  /** The transfer, with the signature that landed. */
  readonly transfer: Transfer;
  readonly outcome: LandedOutcome;
}

/** A checkout that landed under another signature than the recorded one. */
export interface FoundCheckout extends FoundTransfer {
  /** The transfer of the same transaction, under the signature that did not land. */
  readonly replaces: Transfer;
}

/**
 * Looks for a checkout that landed under another signature, because a wallet can sign one message twice
 * (checkout#other-signature-of-the-wallet). Null: it did not land.
 * @param transfers the resolved transfers of the pending subscription, and the one that was not found
 */
export async function findCheckoutByAccount(
  service: Service,
  changes: SubscriptionChanges,
  transfers: readonly Transfer[],
): Promise<ChainResult<FoundCheckout | null>> {
  const { plan, subscription } = changes;
  const oldest = transfers.reduce<Transfer | null>(
    (first, one) => (first === null || one.createdAt < first.createdAt ? one : first),
    null,
  );
  if (oldest === null) return { ok: true, value: null };
  const view = (await readChargeViews(service, [changes], 'finalized')).get(changes);
  if (view?.ok !== true) return view ?? { ok: false, unavailable: { kind: 'transport' } };
  if (view.value.subscription === null) return { ok: true, value: null };
  const history = await service.chain.readHistory({
    ...chargeTarget(plan, subscription.wallet),
    since: plus(oldest.createdAt, -HOST_TIME_MS),
    slot: view.value.slot,
  });
  if (!history.ok) return history;
  for (const payment of history.value.payments) {
    for (const transfer of transfers) {
      const { chain } = service;
      if (!(await chain.isSignatureOf(payment.signature, transfer.wire, subscription.wallet))) continue;
      const landed = landedOf(transferOf(service, transfer, payment), payment);
      return { ok: true, value: { ...landed, replaces: transfer } };
    }
  }
  return { ok: true, value: null };
}

/** Whether the account shows a period as paid that the record does not, so that its history is read. */
export function isUnexplained(subscription: Subscription, plan: Plan, view: ChargeView): boolean {
  const { paidPeriodStart } = subscription;
  const account = ownAccount(view, subscription, plan);
  return account !== null && paidPeriodStart !== null && account.periodStart > paidPeriodStart;
}

/** Reads the history of a subscription's account since the end of the period that was paid last. */
export async function readOwnHistory(
  service: Service,
  { plan, subscription }: Pick<SubscriptionChanges, 'plan' | 'subscription'>,
  { slot }: ChargeView,
): Promise<ChainResult<SubscriptionHistory>> {
  const { paidPeriodEnd, createdAt, wallet } = subscription;
  const since = plus(paidPeriodEnd ?? createdAt, -BLOCK_TIME_MS);
  return service.chain.readHistory({ ...chargeTarget(plan, wallet), since, slot });
}

/**
 * The payments of a subscription that the service made and no record has as landed, oldest first. Payments
 * that are on record for another subscription of the wallet are left out.
 */
export async function unrecordedPayments(
  service: Service,
  { plan, subscription }: Pick<SubscriptionChanges, 'plan' | 'subscription'>,
  { payments }: SubscriptionHistory,
): Promise<readonly FoundTransfer[]> {
  const { id, paidPeriodEnd } = subscription;
  if (paidPeriodEnd === null || payments.length === 0) return [];
  const unrecorded: FoundTransfer[] = [];
  for (const payment of [...payments].reverse()) {
    const { signature, paymentIndex } = payment;
    const transfer = await service.store.findTransferBySignature(signature, paymentIndex);
    if (transfer !== null && (transfer.subscriptionId !== id || transfer.state === 'landed')) continue;
    const periodStart = periodPaidAt(plan, paidPeriodEnd, payment.time);
    const charge = { subscriptionId: id, kind: 'charge', trigger: 'schedule', periodStart } as const;
    unrecorded.push(landedOf(transfer ?? transferOf(service, charge, payment), payment));
  }
  return unrecorded;
}

/** A transfer for a payment that the records do not have under its signature. */
function transferOf(
  service: Service,
  of: Pick<Transfer, 'subscriptionId' | 'kind' | 'trigger' | 'periodStart'> & Partial<Transfer>,
  { signature, paymentIndex, wire, amount, slot, time }: LandedPayment,
): Transfer {
  const { subscriptionId, kind, trigger, periodStart } = of;
  // A slot's number is never below its height, so it landed at this height or before.
  const lastValidBlockHeight = of.lastValidBlockHeight ?? slot;
  return newTransfer(
    service,
    { subscriptionId, kind, trigger, amount, periodStart },
    { signature, paymentIndex, wire, lastValidBlockHeight },
    of.createdAt ?? time,
  );
}

function landedOf(transfer: Transfer, { slot, time, received, lamports }: LandedPayment): FoundTransfer {
  const fee = lamports === undefined ? {} : { lamports };
  return { transfer, outcome: { kind: 'landed', slot, time, received, ...fee } };
}
