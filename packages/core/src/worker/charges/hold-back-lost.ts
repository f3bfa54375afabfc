import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { Transfer } from '../../records/index.js';
import type { Service } from '../../service.js';
import { type PlannedCharge, applyUnsigned } from './apply-decision.js';
import { reportFailure } from './isolate-failures.js';

/** After how many losses in a row a subscription is blocked. */
const LOSSES_IN_A_ROW = 3;

/**
 * Blocks the charges whose last transaction was just lost, when too many are: three in a row of the subscription, or a share
 * of all (attempts#repeated-losses). Returns the other charges, which are sent at once.
 * @param batch everything that this pass works on, with what it resolved
 */
export async function holdBackLost(
  service: Service,
  batch: readonly SubscriptionChanges[],
  planned: readonly PlannedCharge[],
  now: Date,
): Promise<readonly PlannedCharge[]> {
  const resolved = batch
    .flatMap(({ resolvedTransfer }) => resolvedTransfer ?? [])
    .filter(({ paymentIndex }) => paymentIndex === 0);
  const tooMany = service.losses.tooMany({
    resolved: resolved.length,
    lost: resolved.filter(({ state }) => state === 'lost').length,
  });
  const kept = await Promise.all(
    planned.map(async (charge) => {
      const { changes } = charge;
      const { resolvedTransfer } = changes;
      if (resolvedTransfer?.state !== 'lost') return true;
      try {
        const isLostAgain = await lostInARow(service, resolvedTransfer);
        if (!isLostAgain && tooMany === null) return true;
        applyUnsigned(charge, { kind: 'transport' }, now);
      } catch (error) {
        reportFailure(service, changes, error);
      }
      return false;
    }),
  );
  return planned.filter((_, index) => kept[index]);
}

/** Whether this loss is the third in a row of its subscription, or a later one. */
async function lostInARow(service: Service, { id, subscriptionId }: Transfer): Promise<boolean> {
  const newest = await service.store.listTransfers(subscriptionId, LOSSES_IN_A_ROW);
  const earlier = newest.filter((one) => one.id !== id).slice(0, LOSSES_IN_A_ROW - 1);
  const lost = 1 + earlier.filter(({ state }) => state === 'lost').length;
  if (lost < LOSSES_IN_A_ROW) return false;
  const facts = { subscription: subscriptionId };
  service.troubles.seen({ kind: 'transactions_lost', subject: 'in_a_row', facts });
  return true;
}
