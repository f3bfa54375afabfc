import type { ChainResult, ChargeView } from '../ports/index.js';
import type { Service } from '../service.js';
import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import { chargeTarget } from '../commits/subscription-changes.js';

/** Reads what the charge of each row depends on, in as few calls as the chain allows. */
export async function readChargeViews(
  service: Service,
  rows: readonly SubscriptionChanges[],
  commitment: 'confirmed' | 'finalized',
): Promise<ReadonlyMap<SubscriptionChanges, ChainResult<ChargeView>>> {
  if (rows.length === 0) return new Map();
  const asks = rows.map(({ plan, subscription }) => chargeTarget(plan, subscription.wallet));
  const answers = await service.chain.readCharges(asks, commitment);
  return new Map(
    rows.map((row, index) => [row, answers[index] ?? { ok: false, unavailable: { kind: 'transport' } }]),
  );
}
