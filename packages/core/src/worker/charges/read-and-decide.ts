import { decide } from '../../rules/decide.js';
import type { Service } from '../../service.js';
import type { Intent, Refused } from './apply-decision.js';
import { applyDecision, applyIncompletePlan, applyChainUnavailable } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import type { SubscriptionChanges } from '../../commits/subscription-changes.js';

/** A row that has to be read, and the refused charge the read is to explain, if any. */
export interface ToRead {
  readonly row: SubscriptionChanges;
  readonly refused: Refused | null;
}

/** Reads every row in as few calls as the chain allows, and decides each purely. */
export async function readAndDecide(
  service: Service,
  toRead: readonly ToRead[],
  now: Date,
): Promise<readonly Intent[]> {
  const rows = toRead.map(({ row }) => row);
  const goneBefore = (row: SubscriptionChanges) => row.subscription.goneSince !== null;
  const [first, second] = await Promise.all([
    readChargeViews(
      service,
      rows.filter((row) => !goneBefore(row)),
      'confirmed',
    ),
    readChargeViews(service, rows.filter(goneBefore), 'finalized'),
  ]);
  const intents: Intent[] = [];
  for (const { row, refused } of toRead) {
    isolateFailure(service, row, () => {
      const answer = first.get(row) ?? second.get(row);
      if (answer === undefined) return;
      if (row.plan.createdOnChainAt === null) return applyIncompletePlan(row, now);
      if (!answer.ok) return applyChainUnavailable(row, answer.unavailable, refused, now);
      const view = answer.value;
      const decision = decide(row.subscription, row.plan, view, service.chain.charger, goneBefore(row));
      const intent = applyDecision(row, decision, refused, now);
      if (intent !== null) intents.push(intent);
    });
  }
  return intents;
}
