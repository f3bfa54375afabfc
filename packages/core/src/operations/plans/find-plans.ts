import type { Plan, PlanId } from '../../records/index.js';
import type { Service } from '../../service.js';

/** The plans with these ids, each once, in the order in which they are named first. */
export async function findPlans(
  { store }: Pick<Service, 'store'>,
  ids: readonly PlanId[],
): Promise<readonly Plan[]> {
  const plans = await Promise.all([...new Set(ids)].map((id) => store.findPlan(id)));
  return plans.filter((plan) => plan !== null);
}

/** The slugs of plans by their ids. */
export async function readSlugs(
  service: Pick<Service, 'store'>,
  ids: readonly PlanId[],
): Promise<ReadonlyMap<PlanId, string>> {
  return new Map((await findPlans(service, ids)).map(({ id, slug }) => [id, slug]));
}
