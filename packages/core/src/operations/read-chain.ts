import { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { SubscriptionContext } from '../commits/subscription-context.js';
import { ServiceError } from '../contract/errors.js';
import type { ChainResult, ChargeView } from '../ports/index.js';
import type { Plan } from '../records/index.js';
import { endedAsGone, reinstatement } from '../rules/reinstatement.js';
import type { Service } from '../service.js';
import { commitAndFollow } from '../settlement/follow-commit.js';
import { chargeTarget } from '../settlement/read-charge-views.js';

/** The answer of the chain. Throws `network_unavailable` without one, so nothing is decided without it. */
export function requireAnswer<T>(answer: ChainResult<T>): T {
  if (answer.ok) return answer.value;
  throw new ServiceError('network_unavailable', { cause: answer.unavailable });
}

/** Reads the accounts that a charge of this wallet depends on. */
export async function tryReadChargeView(
  service: Service,
  plan: Plan,
  wallet: string,
): Promise<ChainResult<ChargeView>> {
  const [answer] = await service.chain.readCharges([chargeTarget(plan, wallet)], 'confirmed');
  return answer ?? { ok: false, unavailable: { kind: 'transport' } };
}

/** Reads the accounts that a charge of this wallet depends on. Throws `network_unavailable`. */
export async function readChargeView(service: Service, plan: Plan, wallet: string): Promise<ChargeView> {
  return requireAnswer(await tryReadChargeView(service, plan, wallet));
}

/**
 * Reinstates a subscription that ended as gone, when a read at `finalized` finds its account. Returns whether
 * it changed, so the caller reads it again (cancel-resume-close#reinstated-after-closed-elsewhere).
 */
export async function reinstateIfFound(service: Service, context: SubscriptionContext): Promise<boolean> {
  const { plan, subscription } = context;
  if (!endedAsGone(subscription)) return false;
  const [read] = await service.chain.readCharges([chargeTarget(plan, subscription.wallet)], 'finalized');
  const reinstated = read?.ok === true ? reinstatement(subscription, plan, read.value) : null;
  if (reinstated === null) return false;
  const changes = new SubscriptionChanges(service, context);
  changes.apply({ kind: 'reinstated', ...reinstated }, service.clock.now());
  await commitAndFollow(service, changes);
  return true;
}
