import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Plan } from '../../records/index.js';
import type { Service } from '../../service.js';
import { standsAsRecorded } from '../plans.js';
import { viewNow } from './view-now.js';

/**
 * Reads all that a checkout depends on and refuses what the plan or its token make impossible, in D12's order:
 * from plan_removed to receiver_account_missing.
 */
export async function checkoutView(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  const view = await viewNow(service, plan, wallet);
  if (view.plan === null) throw new ServiceError('plan_removed');
  if (view.plan.createdAt.getTime() !== plan.createdOnChainAt?.getTime())
    throw new ServiceError('plan_replaced');
  if (!standsAsRecorded(plan, view.plan, service.chain.charger)) throw new ServiceError('plan_mismatch');
  if (view.plan.endsAt !== null && view.time > view.plan.endsAt) throw new ServiceError('plan_ended');
  if (view.plan.sunset || plan.status === 'sunset') throw new ServiceError('plan_sunset');
  if (view.mint === null) throw new ServiceError('mint_not_on_chain');
  if (view.receiver === null) throw new ServiceError('receiver_account_missing');
  return view;
}

/** Refuses a wallet that cannot pay the first charge. */
export function requireBalance(view: ChargeView, plan: Plan): void {
  if (view.source === null || view.source.balance < plan.amount)
    throw new ServiceError('insufficient_balance');
}
