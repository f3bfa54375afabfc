import type { ChargeStore } from '@subrail/core/ports';
import { newestFirst, pageOf } from '../order.js';
import type { Tables } from '../tables.js';

export function chargeStore({ transfers, attempts }: Tables): ChargeStore {
  return {
    async findOpenTransfer(subscriptionId) {
      return transfers.find('open', subscriptionId);
    },
    async findTransferBySignature(signature, paymentIndex = 0) {
      return transfers.find('signature', signature, paymentIndex);
    },
    async listTransfers(subscriptionId, limit) {
      return newestFirst(transfers.where('subscription', subscriptionId)).slice(0, limit);
    },
    async listAttempts(subscriptionId, page) {
      return pageOf(newestFirst(attempts.where('subscription', subscriptionId)), page);
    },
  };
}
