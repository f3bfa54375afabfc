import { readPrice } from '../../commits/read-price.js';
import type { PlanList, PlanWire } from '../../contract/plan.js';
import { PUBLISHED, type Project, type Plan } from '../../records/index.js';
import { tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { planWire } from '../../wire/plan.js';
import { hasSeatFor } from '../checkout/seats.js';
import { requirePublishedPlan } from '../require.js';
import { readKnownTokens } from './known-tokens.js';

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
