import type { ChargeStore, UnpricedAttempt } from '@subrail/core/ports';
import { newestFirst, pageOf } from '../order.js';
import type { Tables } from '../tables.js';

/** Transfers, the attempts to charge they belong to, and the terms that wallets signed. */
export function chargeStore({ plans, subscriptions, transfers, attempts, signedTerms }: Tables): ChargeStore {
  return {
    async findOpenTransfer(subscriptionId) {
      return transfers.find('open', subscriptionId);
    },
    async findTransferBySignature(signature, paymentIndex = 0) {
      return transfers.find('signature', signature, paymentIndex);
    },
    async listTransfers(subscriptionId, limit) {
      return newestFirst(transfers.where('subscription', subscriptionId), 'createdAt').slice(0, limit);
    },
    async findSignedTerms(subscriptionId) {
      const all = signedTerms.where('subscription', subscriptionId);
      return all.sort((a, b) => b.signedAt.getTime() - a.signedAt.getTime())[0] ?? null;
    },
    async listAttempts(subscriptionId, page) {
      return pageOf(newestFirst(attempts.where('subscription', subscriptionId), 'attemptedAt'), page);
    },
    async findPaidAttempt(subscriptionId, periodStart) {
      return attempts.find('paid', subscriptionId, periodStart.getTime());
    },
    async listUnpricedAttempts(since, after, limit) {
      return newestFirst(attempts.all(), 'attemptedAt')
        .reverse()
        .filter((row) => row.amountUsd === null && row.attemptedAt >= since)
        .filter((row) => after === null || isLater(row, after))
        .slice(0, limit)
        .flatMap(({ id, subscriptionId, attemptedAt, amount }) => {
          const plan = plans.get(subscriptions.get(subscriptionId)?.planId ?? '');
          return plan === null ? [] : [{ id, attemptedAt, amount, mint: plan.mint, decimals: plan.decimals }];
        });
    },
    async priceAttempts(amountsUsd) {
      const unpriced = [...amountsUsd].flatMap(([id, amountUsd]) => {
        const row = attempts.get(id);
        return row?.amountUsd === null ? [{ ...row, amountUsd }] : [];
      });
      attempts.put(unpriced);
    },
  };
}

type Cursor = Pick<UnpricedAttempt, 'id' | 'attemptedAt'>;

function isLater(row: Cursor, cursor: Cursor): boolean {
  const difference = row.attemptedAt.getTime() - cursor.attemptedAt.getTime();
  return difference > 0 || (difference === 0 && row.id > cursor.id);
}
