import type { ErrorCode } from '../../contract/errors.js';
import { ServiceError } from '../../contract/errors.js';
import type { ChargeView } from '../../ports/index.js';
import type { Subscription } from '../../records/index.js';

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
