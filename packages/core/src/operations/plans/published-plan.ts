import { ServiceError } from '../../contract/errors.js';
import { PUBLISHED, type Plan, type Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requirePlan } from '../../management/plans/plans.js';

/** Finds a published plan. A draft, closed or failed one is refused as one that does not exist: `plan_not_found`. */
export async function requirePublishedPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (!PUBLISHED.includes(plan.status)) throw new ServiceError('plan_not_found');
  return plan;
}

/**
 * Finds a plan that was published at some time: a closed plan can still have subscriptions. Throws `plan_not_found`.
 */
export async function requireOncePublishedPlan(
  service: Service,
  project: Project,
  slug: string,
): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (plan.status === 'draft' || plan.status === 'failed') throw new ServiceError('plan_not_found');
  return plan;
}
