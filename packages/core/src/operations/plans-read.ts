import { ServiceError } from '../contract/errors.js';
import type { PlanList, PlanWire } from '../contract/plan.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';
import { planWire, planWires } from './plan-wire.js';

/** Every published plan of a project, sorted by slug (contract, Plans). */
export async function listPlans(service: Service, project: Project): Promise<PlanList> {
  const published = await service.store.listPublishedPlans(project.id);
  return { plans: await planWires(service, project, published) };
}

/** One published plan. Throws `plan_not_found`, of a draft and of a closed one too (D18.2). */
export async function retrievePlan(service: Service, project: Project, slug: string): Promise<PlanWire> {
  const plan = await service.store.findPlanBySlug(project.id, slug);
  if (plan === null || (plan.status !== 'active' && plan.status !== 'sunset')) {
    throw new ServiceError('plan_not_found');
  }
  return planWire(service, project, plan);
}
