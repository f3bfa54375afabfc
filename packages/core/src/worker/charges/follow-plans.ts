import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainResult, ChargeView } from '../../ports/index.js';
import type { Plan, PlanId } from '../../records/index.js';
import { planAsRead } from '../../rules/plan-on-chain.js';
import type { Service } from '../../service.js';
import { savePlan } from '../../settlement/save-plan.js';
import { applyAccessEnd } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';

/**
 * Continues with each plan of a batch as the chain shows it, and stores what changed, before anything is
 * decided (plans#plan-read-again).
 */
export async function followPlans(
  service: Service,
  answers: ReadonlyMap<SubscriptionChanges, ChainResult<ChargeView>>,
  now: Date,
): Promise<void> {
  const changed = new Map<PlanId, { readonly before: Plan; readonly after: Plan }>();
  for (const [changes, answer] of answers) {
    isolateFailure(service, changes, () => {
      if (!answer.ok || answer.value.plan === null) return;
      const { plan } = changes;
      const { before, after } = changed.get(plan.id) ?? { before: plan, after: plan };
      const read = planAsRead(after, answer.value.plan);
      if (read !== after) changed.set(plan.id, { before, after: read });
    });
  }
  // The next pass reads the plan, and wakes its other subscriptions if it is over.
  for (const { before, after } of changed.values())
    await savePlan(service, before, { ...after, nextCheckAt: now });
  for (const changes of answers.keys()) {
    const plan = changed.get(changes.plan.id)?.after;
    if (plan === undefined) continue;
    isolateFailure(service, changes, () => {
      changes.followPlan(plan);
      applyAccessEnd(changes, now);
    });
  }
}
