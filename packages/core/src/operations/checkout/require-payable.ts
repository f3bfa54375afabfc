import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Plan } from '../../records/index.js';
import { chargeable } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { matchesRecord } from '../plans/plans.js';
import { readChargeView } from '../read-charge-view.js';

/** Reads all that a checkout depends on, and refuses what makes one impossible, in checkout#order-of-create-refusals's order. */
export async function readPayableView(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  const view = await readChargeView(service, plan, wallet);
  requirePlan(view, plan, service.chain.charger);
  requireToken(view);
  return view;
}

/** Refuses a plan that can no longer be subscribed to, from plan_removed to plan_sunset (checkout#order-of-create-refusals). */
export function requirePlan(view: ChargeView, plan: Plan, charger: string): void {
  if (view.plan === null) throw new ServiceError('plan_removed');
  if (view.plan.createdAt.getTime() !== plan.createdOnChainAt?.getTime())
    throw new ServiceError('plan_replaced');
  if (!matchesRecord(plan, view.plan, charger)) throw new ServiceError('plan_mismatch');
  // Nothing is charged in a plan's last two minutes, so nobody subscribes in them either (retries#last-two-minutes-of-a-plan).
  if (!chargeable(view.time, view.plan)) throw new ServiceError('plan_ended');
  if (view.plan.sunset || plan.status === 'sunset') throw new ServiceError('plan_sunset');
}

/** Refuses a token that is gone and a receiver that cannot be paid. */
export function requireToken(view: ChargeView): void {
  if (view.mint === null) throw new ServiceError('mint_not_on_chain');
  if (view.receiver === null) throw new ServiceError('receiver_account_missing');
}

/** Refuses a wallet that cannot pay the first charge. */
export function requireBalance(view: ChargeView, plan: Plan): void {
  if (view.source === null || view.source.balance < plan.amount)
    throw new ServiceError('insufficient_balance');
}
