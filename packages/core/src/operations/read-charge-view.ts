import type { ChainResult, ChargeView } from '../ports/index.js';
import type { Plan } from '../records/index.js';
import type { Service } from '../service.js';
import { chargeTarget } from '../settlement/read-charge-views.js';
import { requireAnswer } from './require-answer.js';

/** Reads the accounts that a charge of this wallet depends on. The result says when the chain is unavailable. */
export async function tryReadChargeView(
  service: Service,
  plan: Plan,
  wallet: string,
): Promise<ChainResult<ChargeView>> {
  const [answer] = await service.chain.readCharges([chargeTarget(plan, wallet)], 'confirmed');
  return answer ?? { ok: false, unavailable: { kind: 'transport' } };
}

/** Reads the accounts that a charge of this wallet depends on. Throws `network_unavailable` when that fails. */
export async function readChargeView(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  return requireAnswer(await tryReadChargeView(service, plan, wallet));
}
