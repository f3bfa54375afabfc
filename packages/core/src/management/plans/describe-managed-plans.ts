import type { PlanWire } from '../../contract/plan.js';
import { toWireDate } from '../../contract/scalars.js';
import { describePlans, describePlan } from '../../operations/plans/read-plans.js';
import type { Plan, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { ManagedPlan } from './schemas.js';

/** Returns plans as their operator sees them, in the order given. */
export async function describeManagedPlans(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<ManagedPlan[]> {
  const wires = await describePlans(service, project, plans);
  return plans.flatMap((plan, index) => {
    const wire = wires[index];
    return wire === undefined ? [] : [managedPlan(plan, wire)];
  });
}

/** Returns one plan as its operator sees it. */
export async function describeManagedPlan(
  service: Service,
  project: Project,
  plan: Plan,
): Promise<ManagedPlan> {
  return managedPlan(plan, await describePlan(service, project, plan));
}

/** A plan as its operator sees it. */
export function managedPlan(plan: Plan, wire: PlanWire): ManagedPlan {
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
