import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChargeView } from '../../ports/index.js';
import { plus } from '../../rules/billing-periods.js';
import { decide, whyPriceRejected } from '../../rules/decide.js';
import { nextReminder, REMINDER_RETRY_MS, type Reminder } from '../../rules/reminders.js';
import type { Service } from '../../service.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import { applyDecision } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';

/**
 * Makes the reminders that are due (mails#reminders). Those that ask the wallet to act are made from a read
 * of the chain.
 */
export async function remind(
  service: Service,
  batch: readonly SubscriptionChanges[],
  now: Date,
): Promise<void> {
  const due = batch.flatMap((changes) => {
    const reminder = dueReminder(changes, now);
    return reminder === null ? [] : [{ changes, reminder }];
  });
  const views = await readChargeViews(
    service,
    due.filter(({ reminder }) => isOfWallet(reminder)).map(({ changes }) => changes),
    'confirmed',
  );
  for (const { changes, reminder } of due)
    isolateFailure(service, changes, () => {
      if (!isOfWallet(reminder)) {
        changes.apply({ kind: 'reminded', reminder, rejection: null, missing: null }, now);
        return;
      }
      const answer = views.get(changes);
      const view = answer?.ok === true ? answer.value : null;
      if (view === null || !applyView(service, changes, reminder, view, now))
        changes.apply({ kind: 'reminder_postponed', nextTryAt: plus(now, REMINDER_RETRY_MS) }, now);
    });
}

function dueReminder(changes: SubscriptionChanges, now: Date): Reminder | null {
  const { subscription, openTransfer } = changes;
  if (openTransfer !== null) return null;
  const reminder = nextReminder(subscription, changes.at(now));
  return reminder !== null && reminder.at <= now ? reminder : null;
}

/** Whether a reminder asks the wallet to act, so that the chain says whether it is needed. */
function isOfWallet({ kind }: Reminder): boolean {
  return kind === 'cannot_pay' || kind === 'last_try';
}

/**
 * Applies what the chain shows, and returns whether anything followed. A cancellation or an end made without
 * the service is recorded in place of the reminder. What reads as gone waits for another read.
 */
function applyView(
  service: Service,
  changes: SubscriptionChanges,
  reminder: Reminder,
  view: ChargeView,
  now: Date,
): boolean {
  const { subscription, plan } = changes;
  const decision = decide(subscription, plan, view, service.chain.charger, false);
  if (decision.kind === 'cancelled' || decision.kind === 'ended') {
    applyDecision(changes, decision, null, now);
    return true;
  }
  if (decision.kind === 'gone') return false;
  const rejected = whyPriceRejected(subscription.wallet, plan, view);
  const { reason: rejection = null, missing = null } = rejected ?? {};
  changes.apply({ kind: 'reminded', reminder, rejection, missing }, now);
  return true;
}
