import { ServiceError } from '../../contract/errors.js';
import { quoted } from '../../contract/validation-messages.js';
import type { Plan, PlanId, Project } from '../../records/index.js';
import { chargeable } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';

/**
 * Finds a plan that a checkout or a link may offer (checkout-sessions#plans-of-a-session). The refusal names
 * the plan, because a checkout can offer several. Create reads the rest from the chain.
 */
export async function requireOfferablePlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await service.store.findPlanBySlug(project.id, slug);
  const name = quoted(slug);
  if (plan === null || plan.status === 'closed' || plan.status === 'failed')
    throw new ServiceError('plan_not_found', { message: `The project has no published plan ${name}.` });
  if (plan.status === 'draft')
    throw new ServiceError('plan_not_on_chain', {
      message: `The plan ${name} is a draft and not on chain yet. Publish it first.`,
    });
  if (!chargeable(service.clock.now(), plan))
    throw new ServiceError('plan_ended', {
      message: `The plan ${name} has ended, or ends within two minutes.`,
    });
  if (plan.status === 'sunset')
    throw new ServiceError('plan_sunset', { message: `The plan ${name} takes no new subscriber.` });
  return plan;
}

/** The ids of plans that a session may offer, each once, in their order. */
export async function offerablePlanIds(
  service: Service,
  project: Project,
  slugs: readonly string[],
): Promise<readonly PlanId[]> {
  const ids: PlanId[] = [];
  for (const slug of new Set(slugs)) ids.push((await requireOfferablePlan(service, project, slug)).id);
  return ids;
}
