import type { PlanList, PlanWire } from '../../contract/plan';
import type { Project } from '../../records/index';
import type { Service } from '../../service';
import { planWire, planWires } from '../../wire/plan';
import { findPublishedPlan } from './published-plan';

/** Every published plan of a project, sorted by slug (contract, Plans). */
export async function listPlans(service: Service, project: Project): Promise<PlanList> {
  const published = await service.store.listPublishedPlans(project.id);
  return { plans: await planWires(service, project, published) };
}

/** One published plan. Throws `plan_not_found`, of a draft and of a closed one too (D18.2). */
export async function retrievePlan(service: Service, project: Project, slug: string): Promise<PlanWire> {
  return planWire(service, project, await findPublishedPlan(service, project, slug));
}
