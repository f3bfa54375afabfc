import { readPrice } from '../../commits/read-price.js';
import type { PlanList, PlanWire } from '../../contract/plan.js';
import { PUBLISHED, type Project, type Plan } from '../../records/index.js';
import { tokenName } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { planWire } from '../../wire/plan.js';
import { hasSeatFor } from '../checkout/seats.js';
import { requirePublishedPlan } from '../require.js';
import { readKnownTokens } from './known-tokens.js';

export async function listPlans(service: Service, project: Project): Promise<PlanList> {
  const published = await service.store.listPlans(project.id, PUBLISHED);
  const bySlug = published.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  return { plans: bySlug.map(await planDescriber(service, project, bySlug)) };
}

export async function retrievePlan(service: Service, project: Project, slug: string): Promise<PlanWire> {
  const plan = await requirePublishedPlan(service, project, slug);
  const describe = await planDescriber(service, project, [plan]);
  return describe(plan);
}

/** Reads what plans show besides their records, and returns the function that makes their wire objects. */
export async function planDescriber(
  service: Service,
  project: Project,
  plans: readonly Plan[],
): Promise<(plan: Plan) => PlanWire> {
  const now = service.clock.now();
  const { network, charger } = service.chain;
  const seatFree = await hasSeatFor(service, project, null);
  const tokens = await readKnownTokens(service);
  const mints = [...new Set(plans.map(({ mint }) => mint))];
  const prices = new Map(
    await Promise.all(mints.map(async (mint) => [mint, await readPrice(service, mint)] as const)),
  );
  return (plan) => {
    const token = tokenName(plan, tokens);
    const price = prices.get(plan.mint) ?? null;
    return planWire(plan, { project, network, token, price, seatFree, charger, now });
  };
}
