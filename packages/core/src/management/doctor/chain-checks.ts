import type { ChargeView, SubscriptionView } from '../../ports/index.js';
import { ownAccount } from '../../rules/incarnation.js';
import { isCharged } from '../../rules/running.js';
import { COMPARE_WITH_CHAIN, type ExaminedSubscription } from './examined-subscription.js';
import type { FindingWire } from './schemas.js';

/** The records may be this far behind the chain: a worker reads every running subscription once a day. */
const READ_WITHIN_MS = 26 * 3_600_000;

/**
 * Checks a running subscription against its account on chain. Nothing is compared while a transaction is
 * open, because the chain may be ahead of the records by that one.
 */
export function checkOnChain(
  { subscription, at, transfers }: ExaminedSubscription,
  view: ChargeView,
): readonly FindingWire[] {
  const { id, status, paidPeriodStart, nextTryAt } = subscription;
  const { plan, now } = at;
  if (!isCharged(status) || transfers.some(({ state }) => state === 'open')) return [];
  // Due work is about to be read anyway.
  if (nextTryAt !== null && nextTryAt <= now) return [];
  const findings: FindingWire[] = [];
  const add = (check: string, what: string, remedy: string): void => {
    findings.push({ check, rows: [id], what, remedy });
  };
  const account = ownAccount(view, subscription, plan);
  if (account === null) {
    add(
      'account_exists',
      view.subscription === null
        ? 'It runs, and its account does not exist on chain.'
        : 'It runs, and another subscription is at its address on chain.',
      'A worker finds this within a day and ends it; when it does not, read the log for this subscription.',
    );
    return findings;
  }
  if (paidPeriodStart !== null) {
    if (isPaidLater(account, paidPeriodStart))
      add(
        'chain_payments_are_recorded',
        'A later period is paid on chain than on record.',
        'Somebody else charges for this plan, or a record is lost. The next charge finds the period as paid and records it.',
      );
    const behind =
      account.periodStart < paidPeriodStart ||
      (account.periodStart.getTime() === paidPeriodStart.getTime() && account.pulled < plan.amount);
    if (behind)
      add(
        'recorded_payments_are_on_chain',
        'The period that is paid on record is not paid on chain.',
        COMPARE_WITH_CHAIN,
      );
  }
  if (account.expiresAt !== null && now.getTime() - READ_WITHIN_MS > account.expiresAt.getTime())
    add(
      'cancellations_are_noticed',
      'It is cancelled on chain, and the records have it as running.',
      'A worker finds this within an hour once the chain answers; when it does not, read the log for this subscription.',
    );
  return findings;
}

/** Whether a later period is paid on chain than on record. */
export function isPaidLater(account: SubscriptionView, paidPeriodStart: Date): boolean {
  return account.periodStart > paidPeriodStart && account.pulled > 0n;
}
