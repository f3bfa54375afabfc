import { readPrice } from '../../commits/read-price.js';
import type { ManagedPlan } from '../../management/plans/schemas.js';
import type { PlanWire } from '../../contract/plan.js';
import type { Plan, Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { tokenName } from '../../rules/token-name.js';
import { managedPlan, planWire } from '../../wire/plan.js';
import { readKnownTokens } from '../known-tokens.js';
import { hasSeatFor } from '../checkout/seats.js';

/** Returns the wire objects of a project's plans as they are now, in the order given. */
export async function describePlans(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<PlanWire[]> {
  const now = service.clock.now();
  const { network, charger } = service.chain;
  const seatFree = await hasSeatFor(service, project, null);
  const known = await readKnownTokens(service);
  const mints = [...new Set(plans.map(({ mint }) => mint))];
  const prices = new Map(
    await Promise.all(mints.map(async (mint) => [mint, await readPrice(service, mint)] as const)),
  );
  return plans.map((plan) => {
    const token = tokenName(plan, known);
    const price = prices.get(plan.mint) ?? null;
    return planWire(plan, { project, network, token, price, seatFree, charger, now });
  });
}

/** Returns the wire object of one plan as it is now. */
export async function describePlan(service: Service, project: Project, plan: Plan): Promise<PlanWire> {
  const [wire] = await describePlans(service, project, [plan]);
  if (wire === undefined) throw new Error(`Plan ${plan.id} has no wire object.`);
  return wire;
}

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
