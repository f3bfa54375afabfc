import type { PlanWire } from '../../contract/plan.js';
import { toWireDate } from '../../contract/scalars.js';
import { planDescriber } from '../../operations/plans/read-plans.js';
import type { Plan, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { ManagedPlan } from './schemas.js';

export async function describeManagedPlans(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<ManagedPlan[]> {
  const describe = await planDescriber(service, project, plans);
  return plans.map((plan) => managedPlan(plan, describe(plan)));
}

export async function describeManagedPlan(
  service: Service,
  project: Project,
  plan: Plan,
): Promise<ManagedPlan> {
  const describe = await planDescriber(service, project, [plan]);
  return managedPlan(plan, describe(plan));
}

function managedPlan(plan: Plan, wire: PlanWire): ManagedPlan {
  return {
    ...wire,
    id: plan.id,
    website: plan.website,
    owner: plan.owner,
    address: plan.address,
    destinations: plan.destinations,
    pullers: plan.pullers,
    retry_attempts: plan.retryPolicy?.attempts ?? null,
    retry_wait_minutes: plan.retryPolicy === null ? null : plan.retryPolicy.waitMs / 60_000,
    operator_plan: plan.operatorPlan,
    one_per_customer: plan.onePerCustomer,
    created_at: toWireDate(plan.createdAt),
  };
}
