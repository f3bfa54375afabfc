import type { ErrorCode } from '../../contract/errors.js';
import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Plan, Project, Subscription } from '../../records/index.js';
import type { Service } from '../../service.js';

/** Refuses a wallet for what it has on the plan already (D12, from already_subscribed on). */
export function requireNoneInTheWay(subscriptions: readonly Subscription[], view: ChargeView): void {
  for (const subscription of subscriptions) {
    const code = inTheWay(subscription, view);
    if (code !== null) throw new ServiceError(code);
  }
}

function inTheWay(subscription: Subscription, view: ChargeView): ErrorCode | null {
  const onChain = view.subscription !== null;
  switch (subscription.status) {
    case 'active':
      return 'already_subscribed';
    case 'unpaid':
      return 'payment_pending';
    case 'cancelled':
      return 'subscription_cancelled';
    case 'ended':
      return onChain && subscription.endReason === 'cancelled' ? 'subscription_cancelled' : null;
    case 'stopped':
      return onChain ? 'subscription_stopped' : null;
    case 'pending':
    case 'failed':
    case 'expired':
    case 'superseded':
      return null;
  }
}

/** D16.2: refuses a wallet that would take a seat over the project's limit. */
export async function requireSeat(
  service: Service,
  project: Project,
  plan: Plan,
  wallet: string,
): Promise<void> {
  const limit = project.subscriberLimit ?? service.settings.tiers[project.tier].subscribers;
  if (limit === null) return;
  const others = await service.store.countOtherSeats(plan.projectId, wallet, service.clock.now());
  if (others >= limit) throw new ServiceError('seat_cap_reached');
}
