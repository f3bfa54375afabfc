import { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { SubscriptionContext } from '../commits/subscription-context.js';
import { endedAsGone, reinstatement } from '../rules/reinstatement.js';
import type { Service } from '../service.js';
import { commitAndFollow } from '../settlement/follow-commit.js';
import { chargeTarget } from '../settlement/read-charge-views.js';

/**
 * Reinstates a subscription that ended as gone, when a read at `finalized` finds its very account on chain. Returns whether
 * it did, or another call did meanwhile: then the caller reads the subscription again
 * (cancel-resume-close#reinstated-after-closed-elsewhere).
 */
export async function reinstateIfFound(service: Service, context: SubscriptionContext): Promise<boolean> {
  const { plan, subscription } = context;
  if (!endedAsGone(subscription)) return false;
  const [read] = await service.chain.readCharges([chargeTarget(plan, subscription.wallet)], 'finalized');
  const found = read?.ok === true ? reinstatement(subscription, plan, read.value) : null;
  if (found === null) return false;
  const changes = new SubscriptionChanges(service, context);
  changes.apply({ kind: 'reinstated', ...found }, service.clock.now());
  await commitAndFollow(service, changes);
  return true;
}
