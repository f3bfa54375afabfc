import { ServiceError } from '../../contract/errors.js';
import type { Plan, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { findPlan } from './plans.js';

/** A plan anyone may ask for: a draft, closed or failed one answers as one that does not exist (plans#listed-plans). */
export async function findPublishedPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await findPlan(service, project, slug);
  if (plan.status !== 'active' && plan.status !== 'sunset') throw new ServiceError('plan_not_found');
  return plan;
}

/** A plan that could ever be subscribed to: what is left of a closed plan's subscriptions is still told. */
export async function findOncePublishedPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await findPlan(service, project, slug);
  if (plan.status === 'draft' || plan.status === 'failed') throw new ServiceError('plan_not_found');
  return plan;
}
