import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { decide, decideCheck } from '../../rules/decide.js';
import { endedAsGone } from '../../rules/reinstatement.js';
import type { Service } from '../../service.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import { recordRefusal } from '../../settlement/settle-charge.js';
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
import { readHistories, recordPayments } from './read-histories.js';

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
  const decided = new Set<SubscriptionChanges>();
  for (const { changes, isDue, refused } of requests) {
    isolateFailure(service, changes, () => {
      if (isDue && refused === null && applyIncompleteRecords(changes, now)) decided.add(changes);
    });
  }
  const complete = requests.filter(({ changes }) => !decided.has(changes) && !changes.discarded);
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
  const histories = await readHistories(service, answers);
  const planned: PlannedCharge[] = [];
  for (const { changes, isDue, refused } of complete) {
    isolateFailure(service, changes, () => {
      const answer = answers.get(changes);
      if (answer === undefined) return;
      if (endedAsGone(changes.subscription)) return applyWhatIsFound(changes, answer, now);
      const goneBefore = readAsGone(changes);
      const history = histories.get(changes);
      if (!isDue && (!answer.ok || history?.ok === false)) return applyUnread(changes, now);
      if (!answer.ok) return applyChainUnavailable(changes, answer.unavailable, refused, now);
      if (history?.ok === false) return applyChainUnavailable(changes, history.unavailable, refused, now);
      const { remade = null, payments = [] } = history?.value ?? {};
      // A payment that becomes known now explains why a further charge of its period was refused.
      const explained = payments.length > 0;
      if (refused !== null && explained) recordRefusal(changes, refused.refusal, refused, now);
      recordPayments(changes, payments, now);
      const { subscription, plan } = changes;
      if (!isDue)
        return applyCheck(changes, decideCheck(subscription, plan, answer.value, goneBefore, remade), now);
      const { charger } = service.chain;
      const decision = decide(subscription, plan, answer.value, charger, goneBefore, remade);
      const charge = applyDecision(changes, decision, explained ? null : refused, now);
      if (charge !== null) planned.push(charge);
    });
  }
  return planned;
}
