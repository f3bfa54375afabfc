import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Plan } from '../../records/index.js';
import type { Service } from '../../service.js';
import { matchesRecord } from '../plans/plans.js';
import { readChargeView } from '../read-charge-view.js';
import { requireChargeable } from '../require-chargeable.js';

/**
 * Reads the accounts that a checkout depends on. Refuses the checkout when the plan, the token or the receiver does not
 * allow it (checkout#order-of-create-refusals).
 */
export async function readCheckoutView(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  const view = await readChargeView(service, plan, wallet);
  requireOpenPlan(view, plan, service.chain.charger);
  requireTokenAndReceiver(view);
  return view;
}

/** Refuses a plan that takes no new subscriptions (checkout#plan-checks-at-checkout). */
export function requireOpenPlan(view: ChargeView, plan: Plan, charger: string): void {
  if (view.plan === null) throw new ServiceError('plan_removed');
  if (view.plan.createdAt.getTime() !== plan.createdOnChainAt?.getTime())
    throw new ServiceError('plan_replaced');
  if (!matchesRecord(plan, view.plan, charger)) throw new ServiceError('plan_mismatch');
  // A first payment is a charge, and nothing is charged in a plan's last two minutes.
  requireChargeable(view.time, view.plan);
  if (view.plan.sunset || plan.status === 'sunset') throw new ServiceError('plan_sunset');
}

/** Refuses a token that is gone, and a receiver that has no account for it. */
export function requireTokenAndReceiver(view: ChargeView): void {
  if (view.mint === null) throw new ServiceError('mint_not_on_chain');
  if (view.receiver === null) throw new ServiceError('receiver_account_missing');
}

/** Refuses a wallet that cannot pay the first charge (checkout#balance-for-the-first-charge). */
export function requireBalance(view: ChargeView, plan: Plan): void {
  if (view.source === null || view.source.balance < plan.amount)
    throw new ServiceError('insufficient_balance');
}
