import type { PlanList, PlanWire } from '../../contract/plan.js';
import { PUBLISHED, type Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { describePlan, describePlans } from './describe-plans.js';
import { requirePublishedPlan } from './published-plan.js';

/** Lists every published plan of a project, sorted by slug. */
export async function listPlans(service: Service, project: Project): Promise<PlanList> {
  const published = await service.store.listPlans(project.id, PUBLISHED);
  const bySlug = published.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  return { plans: await describePlans(service, project, bySlug) };
}

/** Reads one published plan. Throws `plan_not_found`, for a draft and a closed plan too. */
export async function retrievePlan(service: Service, project: Project, slug: string): Promise<PlanWire> {
  return describePlan(service, project, await requirePublishedPlan(service, project, slug));
}
