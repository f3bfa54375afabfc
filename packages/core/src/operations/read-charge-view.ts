import { chargeTarget } from '../commits/subscription-changes.js';
import type { ChainResult, ChargeView } from '../ports/index.js';
import type { Plan } from '../records/index.js';
import type { Service } from '../service.js';
import { requireAnswer } from './require-answer.js';

/** All that a charge of this wallet depends on, as the chain reads now, or why it cannot be read. */
export async function tryReadChargeView(service: Service, plan: Plan, wallet: string): Promise<ChainResult<ChargeView>> {
  const [answer] = await service.chain.readCharges([chargeTarget(plan, wallet)], 'confirmed');
  return answer ?? { ok: false, unavailable: { kind: 'transport' } };
}

/** The same, throwing `network_unavailable` when the chain does not answer. */
export async function readChargeView(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  return requireAnswer(await tryReadChargeView(service, plan, wallet));
}
