import type { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ChainResult, ChargeTarget, ChargeView } from '../ports/index.js';
import { type Plan, receiverOf } from '../records/index.js';
import type { Service } from '../service.js';

/** The accounts that a charge of a wallet for a plan depends on, as the chain port names them. */
export function chargeTarget(plan: Plan, wallet: string): ChargeTarget {
  return {
    plan: {
      address: plan.address,
      owner: plan.owner,
      number: plan.number,
      createdAt: plan.createdOnChainAt ?? plan.createdAt,
      mint: plan.mint,
      tokenProgram: plan.tokenProgram,
      amount: plan.amount,
      periodHours: plan.periodHours,
      receiver: receiverOf(plan),
    },
    wallet,
  };
}

/** Reads the accounts that the charge of each subscription depends on, in as few calls as possible. */
export async function readChargeViews(
  service: Service,
  batch: readonly SubscriptionChanges[],
  commitment: 'confirmed' | 'finalized',
): Promise<ReadonlyMap<SubscriptionChanges, ChainResult<ChargeView>>> {
  if (batch.length === 0) return new Map();
  const targets = batch.map(({ plan, subscription }) => chargeTarget(plan, subscription.wallet));
  const answers = await service.chain.readCharges(targets, commitment);
  return new Map(
    batch.map((changes, index) => [
      changes,
      answers[index] ?? { ok: false, unavailable: { kind: 'transport' } },
    ]),
  );
}
