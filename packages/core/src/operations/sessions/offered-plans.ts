import { ServiceError } from '../../contract/errors.js';
import { quoted } from '../../contract/validation-messages.js';
import type { Plan, PlanId, Project } from '../../records/index.js';
import { chargeable } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';

/**
 * Finds a plan that a checkout or a link may offer (checkout-sessions#plans-of-a-session). The refusal names
 * the plan, because a checkout can offer several. What only the chain shows is left to create.
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

/** Reads the slugs of plans by their ids, which are in the store for good. */
export async function readSlugs(
  { store }: Pick<Service, 'store'>,
  ids: Iterable<PlanId>,
): Promise<ReadonlyMap<PlanId, string>> {
  return new Map(
    await Promise.all(
      [...new Set(ids)].map(async (id) => {
        const plan = await store.findPlan(id);
        if (plan === null) throw new Error(`Plan ${id} is not in the store.`);
        return [id, plan.slug] as const;
      }),
    ),
  );
}
