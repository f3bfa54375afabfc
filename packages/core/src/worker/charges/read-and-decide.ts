import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainResult, ChainUnavailable, ChargeView } from '../../ports/index.js';
import { decide, decideCheck } from '../../rules/decide.js';
import { endedAsGone } from '../../rules/reinstatement.js';
import type { Service } from '../../service.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import { recordRefusal } from '../../settlement/settle-charge.js';
import { applyCheck, applyUnread, applyWhatIsFound } from './apply-check.js';
import {
  type PlannedCharge,
  applyChainUnavailable,
  applyDecision,
  applyIncompleteRecords,
} from './apply-decision.js';
import { followPlans } from './follow-plans.js';
import { isolateFailure } from './isolate-failures.js';
import { type AccountHistory, readHistories, recordPayments } from './read-histories.js';
import { SETTLED, inState, type ItemInState, type WorkItem } from './work-item.js';

/**
 * Reads the chain for every unread item in as few calls as it allows, and applies the decisions. The items
 * are then chargeable or settled. A charge that the records alone rule out is decided without a read.
 */
export async function readAndDecide(service: Service, items: readonly WorkItem[], now: Date): Promise<void> {
  for (const { item, changes, state } of inState(items, 'unread')) {
    isolateFailure(service, changes, () => {
      if (state.isDue && state.refused === null && applyIncompleteRecords(changes, now)) item.state = SETTLED;
    });
  }
  const unread = inState(items, 'unread');
  const batch = unread.map(({ changes }) => changes);
  const [confirmed, finalized] = await Promise.all([
    readChargeViews(
      service,
      batch.filter((changes) => !readAsGone(changes)),
      'confirmed',
    ),
    readChargeViews(service, batch.filter(readAsGone), 'finalized'),
  ]);
  const answers = new Map([...confirmed, ...finalized]);
  await followPlans(service, answers, now);
  const histories = await readHistories(service, answers);
  for (const { item, changes, state } of unread) {
    item.state = SETTLED;
    const answer = answers.get(changes);
    if (answer === undefined) continue;
    isolateFailure(service, changes, () => {
      const charge = applyRead(service, changes, state, { answer, history: histories.get(changes) }, now);
      if (charge !== null) item.state = { kind: 'chargeable', ...charge };
    });
  }
}

/** The accounts of a subscription as read, and the history of its account where that was needed. */
interface Read {
  readonly answer: ChainResult<ChargeView>;
  readonly history: ChainResult<AccountHistory> | undefined;
}

/** Applies the read of a subscription. Returns the charge to make; null for none. */
function applyRead(
  service: Service,
  changes: SubscriptionChanges,
  { isDue, refused }: ItemInState<'unread'>['state'],
  { answer, history }: Read,
  now: Date,
): PlannedCharge | null {
  if (endedAsGone(changes.subscription)) {
    applyWhatIsFound(changes, answer, now);
    return null;
  }
  const goneBefore = readAsGone(changes);
  const applyUnanswered = (unavailable: ChainUnavailable): null => {
    if (isDue) applyChainUnavailable(changes, unavailable, refused, now);
    else applyUnread(changes, now);
    return null;
  };
  if (!answer.ok) return applyUnanswered(answer.unavailable);
  if (history?.ok === false) return applyUnanswered(history.unavailable);
  const { remade = null, payments = [] } = history?.value ?? {};
  // A payment that becomes known now explains why a further charge of its period was refused.
  const explained = payments.length > 0;
  if (refused !== null && explained) recordRefusal(changes, refused.refusal, refused, now);
  recordPayments(changes, payments, now);
  const { subscription, plan } = changes;
  if (!isDue) {
    applyCheck(changes, decideCheck(subscription, plan, answer.value, goneBefore, remade), now);
    return null;
  }
  const { charger } = service.chain;
  const decision = decide(subscription, plan, answer.value, charger, goneBefore, remade);
  return applyDecision(changes, decision, explained ? null : refused, now);
}

/** Whether a first read showed the plan or the subscription as gone, so that this one is at `finalized`. */
function readAsGone({ subscription }: SubscriptionChanges): boolean {
  return subscription.goneSince !== null || endedAsGone(subscription);
}
