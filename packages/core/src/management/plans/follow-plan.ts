import { ServiceError } from '../../contract/errors.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requirePlan } from '../../operations/require.js';
import type { PlanView } from '../../ports/index.js';
import type { Plan, Project } from '../../records/index.js';
import { planAsRead } from '../../rules/plan-on-chain.js';
import type { Service } from '../../service.js';
import { savePlan } from '../../settlement/save-plan.js';

/** A published plan as the chain shows it, and its record before. */
interface FollowedPlan {
  readonly before: Plan;
  readonly plan: Plan;
}

/**
 * Reads a published plan from the chain, and stores its owner's changes. Throws `plan_not_found`,
 * `plan_not_on_chain` for a draft, `plan_removed`, `plan_replaced` or `network_unavailable`.
 */
export async function followPlan(service: Service, project: Project, slug: string): Promise<FollowedPlan> {
  const before = await requirePlan(service, project, slug);
  if (before.status === 'draft') throw new ServiceError('plan_not_on_chain');
  if (before.status === 'closed') throw new ServiceError('plan_removed');
  const view = requireAnswer(await service.chain.readPlan(before.address));
  if (view === null) throw new ServiceError('plan_removed');
  const plan = await storeAsRead(service, before, view);
  if (plan.status === 'closed') throw new ServiceError('plan_replaced');
  return { before, plan };
}

/** Stores a plan as the chain shows it. The next pass wakes its subscriptions if the plan is over. */
export async function storeAsRead(service: Service, before: Plan, view: PlanView): Promise<Plan> {
  const read = planAsRead(before, view);
  return read === before ? before : storeFollowed(service, before, read);
}

/** Stores a plan after a read of the chain. A read that was stored meanwhile counts instead. */
export async function storeFollowed(
  service: Service,
  before: Plan,
  after: Plan,
  nextCheckAt: Date = service.clock.now(),
): Promise<Plan> {
  const followed: Plan = { ...after, nextCheckAt };
  if ((await savePlan(service, before, followed)) === 'updated')
    return { ...followed, version: before.version + 1 };
  return (await service.store.findPlan(before.id)) ?? followed;
}
