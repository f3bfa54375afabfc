import type { Commit } from '../ports/index.js';
import type { NewAttempt, Subscription, SubscriptionId } from '../records/index.js';
import { blockedReason } from '../rules/attempt-reasons.js';
import type { Service } from '../service.js';
import type { Change } from '../transitions/change.js';

/**
 * The reasons without an alert of their own: `transport` is the chain's, and `gone_unconfirmed` precedes
 * every end by a wallet.
 */
const NOT_REPORTED: readonly string[] = ['transport', 'gone_unconfirmed'];

/** Counts committed changes, and reports the alerts that they show. */
export function observeCommits(service: Service, commits: readonly Commit[]): void {
  for (const { subscription, attempts, transfers } of commits) {
    for (const attempt of attempts) {
      service.figures.countAttempt(attempt.outcome, attempt.reason);
      reportAttempt(service, subscription, attempt);
    }
    for (const { state, paymentIndex } of transfers) {
      if (state === 'open') continue;
      service.figures.countTransfer(state);
      // The charges that share a transaction are lost together, which is one loss.
      if (paymentIndex > 0) continue;
      service.losses.record(state);
      const tooMany = state === 'lost' ? service.losses.tooMany() : null;
      if (tooMany !== null)
        service.alerts.seen({ kind: 'transactions_lost', subject: 'share', facts: { ...tooMany } });
    }
  }
}

/** Reports the changes whose events are held, because their snapshot could not be made. */
export function reportHeld(
  { logger, alerts }: Service,
  subscription: SubscriptionId,
  changes: readonly Change[],
): void {
  for (const { snapshotFailure, events } of changes) {
    if (snapshotFailure === null) continue;
    const { error: err } = snapshotFailure;
    const types = events.map(({ type }) => type);
    logger.error(
      { subscription, types, err },
      'The snapshot of events could not be made. The change is stored, and the events are held until it can be.',
    );
    alerts.seen({ kind: 'events_held', facts: { subscription }, err });
  }
}

function reportAttempt(
  { alerts }: Service,
  { id: subscription, planId, projectId: project }: Subscription,
  { outcome, reason }: NewAttempt,
): void {
  const ofPlan = { subject: planId, facts: { project, plan: planId } };
  switch (outcome) {
    case 'paid':
      alerts.over('plan_without_charger', planId);
      alerts.over('plan_incomplete', planId);
      return;
    case 'blocked':
      if (reason === 'puller_not_allowed') alerts.seen({ kind: 'plan_without_charger', ...ofPlan });
      else if (reason === 'puller_missing') alerts.seen({ kind: 'plan_incomplete', ...ofPlan });
      else if (reason !== null && blockedReason(reason) === 'mesub' && !NOT_REPORTED.includes(reason))
        alerts.seen({ kind: 'charges_blocked', subject: reason, facts: { reason, subscription } });
      return;
    case 'rejected':
    case 'skipped':
  }
}
