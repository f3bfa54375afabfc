import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChargeView } from '../../ports/index.js';
import { chargeable } from '../../rules/billing-periods.js';
import { decide, whyPriceRejected } from '../../rules/decide.js';
import { nextRenewalNoticeTry, renewalNoticeAt } from '../../rules/renewal-notice.js';
import type { Service } from '../../service.js';
import { readChargeViews } from '../../settlement/read-charge-views.js';
import { applyDecision } from './apply-decision.js';
import { isolateFailure } from './isolate-failures.js';

/**
 * Raises the notice of the next renewal where it is due, with what the chain says about the wallet now
 * (events#renewal-notice).
 */
export async function announceRenewals(
  service: Service,
  batch: readonly SubscriptionChanges[],
  now: Date,
): Promise<void> {
  const due = batch.filter((changes) => isNoticeDue(changes, now));
  const views = await readChargeViews(service, due, 'confirmed');
  for (const changes of due) {
    isolateFailure(service, changes, () => {
      const answer = views.get(changes);
      const view = answer?.ok === true ? answer.value : null;
      if (view === null || !applyView(service, changes, view, now))
        changes.apply(
          { kind: 'renewal_notice_postponed', nextTryAt: nextRenewalNoticeTry(changes.plan, now) },
          now,
        );
    });
  }
}

function isNoticeDue(changes: SubscriptionChanges, now: Date): boolean {
  const { subscription, openTransfer } = changes;
  const noticeAt = renewalNoticeAt(subscription, changes.at(now));
  return openTransfer === null && noticeAt !== null && noticeAt <= now;
}

/**
 * Applies what the chain shows, and returns whether anything followed. A cancellation or an end made without
 * the service is recorded in place of the notice. A subscription that reads as gone waits for another read.
 */
function applyView(service: Service, changes: SubscriptionChanges, view: ChargeView, now: Date): boolean {
  const { subscription, plan } = changes;
  const decision = decide(subscription, plan, view, service.chain.charger, false);
  if (decision.kind === 'cancelled' || decision.kind === 'ended') {
    applyDecision(changes, decision, null, now);
    return true;
  }
  if (decision.kind !== 'not_due' || !renewsOnChain(changes, view)) return false;
  const rejection = whyPriceRejected(subscription.wallet, plan, view)?.reason ?? null;
  changes.apply({ kind: 'renewal_upcoming', rejection }, now);
  return true;
}

/** Whether the plan still runs on chain at the next charge: its end may have been brought forward. */
function renewsOnChain({ subscription: { paidPeriodEnd } }: SubscriptionChanges, view: ChargeView): boolean {
  return paidPeriodEnd !== null && view.plan !== null && chargeable(paidPeriodEnd, view.plan);
}
