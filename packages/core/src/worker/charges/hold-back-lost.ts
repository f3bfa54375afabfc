import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { applyUnsigned } from './apply-decision.js';
import { reportFailure } from './isolate-failures.js';
import { SETTLED, inState, type WorkItem } from './work-item.js';

/** After how many losses in a row a subscription is blocked. */
const LOSSES_IN_A_ROW = 3;

/**
 * Blocks the charges whose last transaction was lost, when too many are: three in a row of the subscription,
 * or a share of all that this pass resolved (attempts#repeated-losses). The other charges are sent at once.
 */
export async function holdBackLost(service: Service, items: readonly WorkItem[], now: Date): Promise<void> {
  const resolved = items
    .flatMap(({ changes }) => changes.resolvedTransfer ?? [])
    .filter(({ paymentIndex }) => paymentIndex === 0);
  const tooMany = service.losses.tooMany({
    resolved: resolved.length,
    lost: resolved.filter(({ state }) => state === 'lost').length,
  });
  await Promise.all(
    inState(items, 'chargeable').map(async ({ item, changes, state }) => {
      const { resolvedTransfer } = changes;
      if (resolvedTransfer?.state !== 'lost') return;
      try {
        const isLostAgain = await lostInARow(service, resolvedTransfer);
        if (!isLostAgain && tooMany === null) return;
        item.state = SETTLED;
        applyUnsigned(changes, state, { kind: 'transport' }, now);
      } catch (error) {
        reportFailure(service, changes, error);
      }
    }),
  );
}

/** Whether this loss is the third in a row of its subscription, or a later one. */
async function lostInARow(service: Service, { id, subscriptionId }: Transfer): Promise<boolean> {
  const newest = await service.store.listTransfers(subscriptionId, LOSSES_IN_A_ROW);
  const earlier = newest.filter((one) => one.id !== id).slice(0, LOSSES_IN_A_ROW - 1);
  const lost = 1 + earlier.filter(({ state }) => state === 'lost').length;
  if (lost < LOSSES_IN_A_ROW) return false;
  const facts = { subscription: subscriptionId };
  service.alerts.seen({ kind: 'transactions_lost', subject: 'in_a_row', facts });
  return true;
}
