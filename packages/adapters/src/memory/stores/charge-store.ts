import type { ChargeStore } from '@subrail/core/ports';
import { newestFirst, pageOf } from '../order.js';
import { key } from '../table.js';
import type { Tables } from '../tables.js';

/** Transfers, the attempts to charge they belong to, and the terms that wallets signed. */
export function chargeStore({ transfers, attempts, signedTerms }: Tables): ChargeStore {
  return {
    async findOpenTransfer(subscriptionId) {
      return transfers.find('open', subscriptionId);
    },
    async findTransferBySignature(signature) {
      return transfers.find('signature', key(signature, 0));
    },
    async listTransfers(subscriptionId) {
      return newestFirst(transfers.where('subscription', subscriptionId), 'createdAt');
    },
    async findSignedTerms(subscriptionId) {
      const all = signedTerms.where('subscription', subscriptionId);
      return all.sort((a, b) => b.signedAt.getTime() - a.signedAt.getTime())[0] ?? null;
    },
    async listAttempts(subscriptionId, page) {
      return pageOf(newestFirst(attempts.where('subscription', subscriptionId), 'attemptedAt'), page);
    },
    async findPaidAttempt(subscriptionId, periodStart) {
      return attempts.find('paid', key(subscriptionId, periodStart.getTime()));
    },
  };
}
