import { chargeAsk } from '../../engine/row.js';
import type { Answer, ChargeView } from '../../ports/index.js';
import type { Plan } from '../../records/index.js';
import type { Service } from '../../service.js';
import { answered } from '../answered.js';

/** All that a charge of this wallet depends on, as the chain reads now, or why it cannot be read. */
export async function askView(service: Service, plan: Plan, wallet: string): Promise<Answer<ChargeView>> {
  const [answer] = await service.chain.readCharges([chargeAsk(plan, wallet)], 'confirmed');
  return answer ?? { ok: false, silence: { kind: 'transport' } };
}

/** The same, throwing `network_unavailable` when the chain does not answer. */
export async function viewNow(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  return answered(await askView(service, plan, wallet));
}
