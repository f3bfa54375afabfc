import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { settleUnseenCheckout } from '../../settlement/settle-unseen-checkout.js';
import { isolateFailure, isolateRejection } from './isolate-failures.js';
import { inState, type WorkItem } from './work-item.js';

/** When a checkout is looked at again of which the chain cannot tell whether it landed. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Expires the checkouts that were not signed in time. A submitted checkout may have landed under another
 * signature, so the chain is asked first (checkout#other-signature-of-the-wallet).
 */
export async function expireCheckouts(
  service: Service,
  items: readonly WorkItem[],
  now: Date,
): Promise<void> {
  const settled = inState(items, 'settled').map(({ changes }) => changes);
  const expiring = settled.filter((changes) => isExpiring(changes, now));
  await Promise.all(
    expiring.map(async (changes) => {
      const unseen = await isolateRejection(service, changes, () =>
        settleUnseenCheckout(service, changes, now),
      );
      if (unseen === 'landed') return;
      isolateFailure(service, changes, () => {
        if (unseen === 'not_landed') changes.apply({ kind: 'checkout_expired' }, now);
        else changes.apply({ kind: 'poll_scheduled', nextTryAt: plus(now, LOOK_AGAIN_MS) }, now);
      });
    }),
  );
}

/** Whether it is a checkout that was not paid in time and has no transfer to wait for. */
function isExpiring({ subscription, openTransfer }: SubscriptionChanges, now: Date): boolean {
  const { status, checkoutExpiresAt } = subscription;
  return (
    status === 'pending' && openTransfer === null && checkoutExpiresAt !== null && checkoutExpiresAt <= now
  );
}
