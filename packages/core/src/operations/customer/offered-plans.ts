import { type Plan, PUBLISHED } from '../../records/index.js';
import type { Service } from '../../service.js';
import { findPlans } from '../plans/find-plans.js';
import type { CustomerCaller } from './caller.js';
import type { Holding } from './holdings.js';

/**
 * The plans to which a caller may subscribe: those of a session, those that an app offers, and those to which
 * the customer is or was subscribed, but for a checkout (checkout-sessions#plans-of-a-session).
 */
export async function offeredPlans(
  service: Service,
  caller: CustomerCaller,
  holdings: readonly Holding[],
): Promise<readonly Plan[]> {
  const { session } = caller;
  if (session?.kind === 'checkout') return findPlans(service, session.planIds);
  const known = holdings.filter(({ confirmedAt }) => confirmedAt !== null).map(({ planId }) => planId);
  const named =
    session === null ? await plansOfApp(service, caller) : await findPlans(service, session.planIds);
  return distinct([...named, ...(await findPlans(service, known))]);
}

async function plansOfApp({ store }: Service, { project, plans }: CustomerCaller): Promise<readonly Plan[]> {
  if (plans === null) {
    const published = await store.listPlans(project.id, PUBLISHED);
    return published.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  }
  const found = await Promise.all(plans.map((slug) => store.findPlanBySlug(project.id, slug)));
  return found.filter((plan) => plan !== null && PUBLISHED.includes(plan.status)) as readonly Plan[];
}

/** The same plans, each once. */
export function distinct(plans: readonly Plan[]): readonly Plan[] {
  return [...new Map(plans.map((plan) => [plan.id, plan])).values()];
}
