import type { ChangeAction, Subscription } from '../records/index.js';
import { entitlement, isReplacedUncancelled } from './access.js';
import type { At } from './at.js';

/** The wallet's possible actions, as the chain was last read (cancel-page#actions-of-a-wallet). */
export function possibleActions(subscription: Subscription, at: At): readonly ChangeAction[] {
  const { status, closable } = entitlement(subscription, at);
  if (closable) return ['close'];
  switch (status) {
    case 'active':
    case 'unpaid':
    case 'stopped':
      return ['cancel'];
    case 'cancelled':
      return subscription.cancellation?.behind === true ? [] : ['resume'];
    case 'ended':
      return isReplacedUncancelled(subscription) ? ['cancel'] : [];
    case 'pending':
    case 'failed':
    case 'expired':
    case 'superseded':
      return [];
  }
}
