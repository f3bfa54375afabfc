import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { settleUnseenCheckout } from '../../settlement/settle-unseen-checkout.js';
import { inState, type WorkItem } from './work-item.js';

/** When a checkout is looked at again of which the chain cannot tell whether it landed. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Looks at each checkout that is about to expire and that was submitted before: it may have landed under another signature
 * (checkout#other-signature-of-the-wallet). Returns those that must not expire now.
 */
export async function settleUnseenCheckouts(
  service: Service,
  items: readonly WorkItem[],
  now: Date,
): Promise<ReadonlySet<SubscriptionChanges>> {
  const kept = new Set<SubscriptionChanges>();
  const settled = inState(items, 'settled').map(({ changes }) => changes);
  const expiring = settled.filter((changes) => isExpiring(changes, now));
  await Promise.all(
    expiring.map(async (changes) => {
      const unseen = await settleUnseenCheckout(service, changes, now);
      if (unseen === 'not_landed') return;
      if (unseen !== 'landed')
        changes.apply({ kind: 'poll_scheduled', nextTryAt: plus(now, LOOK_AGAIN_MS) }, now);
      kept.add(changes);
    }),
  );
  return kept;
}

/** Whether it is a checkout that was not paid in time and has no transfer to wait for. */
export function isExpiring({ subscription, openTransfer }: SubscriptionChanges, now: Date): boolean {
  const { status, checkoutExpiresAt } = subscription;
  return (
    status === 'pending' && openTransfer === null && checkoutExpiresAt !== null && checkoutExpiresAt <= now
  );
}
