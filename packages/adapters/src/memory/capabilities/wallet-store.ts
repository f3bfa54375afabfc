import type { WalletStore } from '@subrail/core/ports';
import { newestFirst } from '../order.js';
import type { Tables } from '../tables.js';
import { pageWithPlans } from '../with-plans.js';

export function walletStore(tables: Tables): WalletStore {
  const { subscriptions, signedTerms } = tables;
  return {
    async findWalletSubscription(wallet, id) {
      const subscription = subscriptions.get(id);
      return subscription?.wallet === wallet ? subscription : null;
    },
    async listByWallet(wallet, page) {
      return pageWithPlans(tables, newestFirst(subscriptions.where('paidByWallet', wallet)), page);
    },
    async findSignedTerms(subscriptionId) {
      const all = signedTerms.where('subscription', subscriptionId);
      return all.sort((a, b) => b.signedAt.getTime() - a.signedAt.getTime())[0] ?? null;
    },
  };
}
