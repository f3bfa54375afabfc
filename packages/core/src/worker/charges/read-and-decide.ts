import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { decide } from '../../rules/decide.js';
import type { Service } from '../../service.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import {
  type PlannedCharge,
  type RefusedCharge,
  applyChainUnavailable,
  applyDecision,
  applyIncompleteRecords,
} from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';
import { readHistories, recordPayments } from './read-histories.js';

/** A subscription for which the chain has to be read, and the refused charge that the read is to explain, if any. */
export interface ReadRequest {
  readonly changes: SubscriptionChanges;
  readonly refused: RefusedCharge | null;
}

/**
 * Reads the chain for every subscription in as few calls as it allows, applies what each read decides, and returns the
 * charges to make. A charge that the records alone rule out is decided without a read.
 */
export async function readAndDecide(
  service: Service,
  requests: readonly ReadRequest[],
  now: Date,
): Promise<readonly PlannedCharge[]> {
  const complete = requests.filter(({ changes, refused }) => {
    let decided = false;
    isolateFailure(service, changes, () => {
      decided = refused === null && applyIncompleteRecords(changes, now);
    });
    return !decided && !changes.discarded;
  });
  const batch = complete.map(({ changes }) => changes);
  const readAsGone = ({ subscription }: SubscriptionChanges) => subscription.goneSince !== null;
  const firstReads = batch.filter((changes) => !readAsGone(changes));
  const secondReads = batch.filter(readAsGone);
  const [confirmed, finalized] = await Promise.all([
    readChargeViews(service, firstReads, 'confirmed'),
    readChargeViews(service, secondReads, 'finalized'),
  ]);
  const histories = await readHistories(service, [...confirmed, ...finalized]);
  const planned: PlannedCharge[] = [];
  for (const { changes, refused } of complete) {
    isolateFailure(service, changes, () => {
      const { plan } = changes;
      const answer = confirmed.get(changes) ?? finalized.get(changes);
      if (answer === undefined) return;
      if (!answer.ok) return applyChainUnavailable(changes, answer.unavailable, refused, now);
      const goneBefore = readAsGone(changes);
      const history = histories.get(changes);
      if (history?.ok === false) return applyChainUnavailable(changes, history.unavailable, refused, now);
      const { remade = null, payments = [] } = history?.value ?? {};
      recordPayments(changes, payments, now);
      const { subscription } = changes;
      const { charger } = service.chain;
      const decision = decide(subscription, plan, answer.value, charger, goneBefore, remade);
      // A payment that is on record now explains why a further charge of its period was refused.
      const charge = applyDecision(changes, decision, payments.length === 0 ? refused : null, now);
      if (charge !== null) planned.push(charge);
    });
  }
  return planned;
}
