import { ServiceError } from '../contract/errors.js';
import type { Plan } from '../records/index.js';
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
