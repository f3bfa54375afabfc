import type { StoreOperations } from '@subrail/core/ports';
import { newestFirst, pageOf } from './order.js';
import { key } from './table.js';
import type { Tables } from './tables.js';

type LedgerOperations = Pick<
  StoreOperations,
  | 'findOpenTransfer'
  | 'findTransferBySignature'
  | 'listTransfers'
  | 'findSignedTerms'
  | 'listAttempts'
  | 'findPaidAttempt'
>;

/** Transfers, the attempts they were made for, and the terms they were agreed by. */
export function ledgerOperations({ transfers, attempts, signedTerms }: Tables): LedgerOperations {
  return {
    async findOpenTransfer(subscriptionId) {
      return transfers.where('open', subscriptionId)[0] ?? null;
    },
    async findTransferBySignature(signature) {
      return transfers.where('signature', signature)[0] ?? null;
    },
    async listTransfers(subscriptionId) {
      return newestFirst(transfers.where('subscription', subscriptionId), 'createdAt');
    },
    async findSignedTerms(subscriptionId) {
      const all = signedTerms.where('subscription', subscriptionId);
      return all.sort((a, b) => b.signedAt.getTime() - a.signedAt.getTime())[0] ?? null;
    },
    async listAttempts(subscriptionId, ask) {
      return pageOf(newestFirst(attempts.where('subscription', subscriptionId), 'attemptedAt'), ask);
    },
    async findPaidAttempt(subscriptionId, periodStart) {
      return attempts.where('paid', key(subscriptionId, periodStart.getTime()))[0] ?? null;
    },
  };
}
