import type { InvokeContext } from '../../runtime/program.js';
import { loadPlan, planHasEnded } from '../accounts/plan.js';
import { exactly, requireProgramOwned, requireSigner, requireWritable } from '../checks.js';
import { closeProgramAccount } from '../close-account.js';
import { refuse } from '../errors.js';

/** Closes a plan that has ended. The rent goes to its owner, whoever paid it (program#delete-plan). */
export function deletePlan(context: InvokeContext): void {
  const [owner, account] = exactly(2, context.accounts);
  requireSigner(owner);
  requireWritable(owner);
  requireWritable(account);
  const plan = loadPlan(requireProgramOwned(context, account).data);
  if (plan.owner !== owner.address) refuse('NotPlanOwner');
  if (!planHasEnded(plan, context.clock.unixTimestamp)) refuse('PlanNotExpired');
  closeProgramAccount(context, account.address, owner.address);
}
