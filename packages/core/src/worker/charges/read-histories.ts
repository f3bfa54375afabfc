import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChainResult, ChargeView } from '../../ports/index.js';
import { later } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import {
  type FoundTransfer,
  isUnexplained,
  readOwnHistory,
  unrecordedPayments,
} from '../../settlement/find-by-account.js';
import { settleCharge } from '../../settlement/settle-charge.js';
import { isolateRejection } from './isolate-failures.js';

/** The findings in the history of an account that shows a period which is not paid on record. */
export interface AccountHistory {
  /** Whether the wallet closed the account and made another one in its place. */
  readonly remade: boolean;
  /** The payments of the service that are not on record, oldest first. */
  readonly payments: readonly FoundTransfer[];
}

/**
 * Reads the history of each account that shows a period which is not paid on record
 * (attempts#history-of-the-account): few do.
 */
export async function readHistories(
  service: Service,
  views: ReadonlyMap<SubscriptionChanges, ChainResult<ChargeView>>,
): Promise<ReadonlyMap<SubscriptionChanges, ChainResult<AccountHistory>>> {
  const histories = new Map<SubscriptionChanges, ChainResult<AccountHistory>>();
  const readOne = async (changes: SubscriptionChanges, view: ChainResult<ChargeView>) => {
    if (!view.ok || !isUnexplained(changes.subscription, changes.plan, view.value)) return;
    const history = await readOwnHistory(service, changes, view.value);
    if (!history.ok) {
      histories.set(changes, history);
      return;
    }
    const remade = history.value.createdAt !== null;
    const payments = remade ? [] : await unrecordedPayments(service, changes, history.value);
    histories.set(changes, { ok: true, value: { remade, payments } });
  };
  await Promise.all(
    [...views].map(([changes, view]) => isolateRejection(service, changes, () => readOne(changes, view))),
  );
  return histories;
}

/** Records payments of the service that the records did not have, and the periods between them as missed. */
export function recordPayments(
  changes: SubscriptionChanges,
  payments: readonly FoundTransfer[],
  now: Date,
): void {
  for (const { transfer, outcome } of payments) {
    const { paidPeriodEnd, missedUntil } = changes.subscription;
    const { periodStart } = transfer;
    if (paidPeriodEnd !== null && periodStart !== null) {
      const since = later(paidPeriodEnd, missedUntil);
      if (since < periodStart) changes.apply({ kind: 'missed', since, until: periodStart }, now);
    }
    settleCharge(changes, transfer, outcome, now);
  }
}
