import { ServiceError } from '../contract/errors.js';
import type { Plan } from '../records/index.js';
import type { MintView } from '../ports/index.js';
import { chargeable } from '../rules/billing-periods.js';

/** Refuses a charge of a plan that has ended, or is about to (checkout#plan-about-to-end). */
export function requireChargeable(chainTime: Date, plan: Pick<Plan, 'endsAt'>): void {
  if (chargeable(chainTime, plan)) return;
  throw plan.endsAt !== null && chainTime < plan.endsAt
    ? new ServiceError('plan_ended', {
        message: 'The plan is about to end: nothing is charged in its last two minutes.',
      })
    : new ServiceError('plan_ended');
}

/** Refuses a token that is gone, or that no charge can ever move (plans#tokens-that-can-be-charged). */
export function requireChargeableMint<Mint extends MintView>(mint: Mint | null): asserts mint is Mint {
  if (mint === null) throw new ServiceError('mint_not_on_chain');
  if (!mint.transferable) throw new ServiceError('mint_not_transferable');
  if (mint.hookProgram !== null) throw new ServiceError('mint_transfer_hook');
}
