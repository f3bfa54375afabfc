import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { decide, decideCheck } from '../../rules/decide.js';
import { endedAsGone } from '../../rules/reinstatement.js';
import type { Service } from '../../service.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import { applyCheck, applyUnread, applyWhatIsFound } from './apply-check.js';
import {
  type PlannedCharge,
  type RefusedCharge,
  applyChainUnavailable,
  applyDecision,
  applyIncompleteRecords,
} from './apply-decision.js';
import { followPlans } from './follow-plans.js';
import { isolateFailure } from './isolate-failures.js';

/** A subscription for which the chain has to be read. */
export interface ReadRequest {
  readonly changes: SubscriptionChanges;
  /** Whether a try is due. Otherwise it is read only to notice what happened on chain. */
  readonly isDue: boolean;
  /** The refused charge that the read is to explain, if any. */
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
  const complete = requests.filter(({ changes, isDue, refused }) => {
    let decided = false;
    isolateFailure(service, changes, () => {
      decided = isDue && refused === null && applyIncompleteRecords(changes, now);
    });
    return !decided && !changes.discarded;
  });
  const batch = complete.map(({ changes }) => changes);
  const readAsGone = ({ subscription }: SubscriptionChanges) =>
    subscription.goneSince !== null || endedAsGone(subscription);
  const firstReads = batch.filter((changes) => !readAsGone(changes));
  const secondReads = batch.filter(readAsGone);
  const [confirmed, finalized] = await Promise.all([
    readChargeViews(service, firstReads, 'confirmed'),
    readChargeViews(service, secondReads, 'finalized'),
  ]);
  const answers = new Map([...confirmed, ...finalized]);
  await followPlans(service, answers, now);
  const planned: PlannedCharge[] = [];
  for (const { changes, isDue, refused } of complete) {
    if (changes.discarded) continue;
    isolateFailure(service, changes, () => {
      const { subscription, plan } = changes;
      const answer = answers.get(changes);
      if (answer === undefined) return;
      if (endedAsGone(subscription)) return applyWhatIsFound(changes, answer, now);
      if (!isDue) {
        if (!answer.ok) return applyUnread(changes, now);
        return applyCheck(changes, decideCheck(subscription, plan, answer.value, readAsGone(changes)), now);
      }
      if (!answer.ok) return applyChainUnavailable(changes, answer.unavailable, refused, now);
      const decision = decide(subscription, plan, answer.value, service.chain.charger, readAsGone(changes));
      const charge = applyDecision(changes, decision, refused, now);
      if (charge !== null) planned.push(charge);
    });
  }
  return planned;
}
