import type {
  Customer,
  PendingCount,
  Plan,
  PlanId,
  ProjectId,
  StoreOperations,
  Subscription,
} from '@subrail/core/ports';
import { earliest, newestFirst, pageOf } from './order.js';
import { key } from './table.js';
import type { Tables } from './tables.js';

type SubscriptionOperations = Pick<
  StoreOperations,
  | 'findSubscription'
  | 'listByWalletAndPlan'
  | 'listByCustomer'
  | 'listForAccess'
  | 'countPending'
  | 'countOtherSeats'
>;

export function subscriptionOperations({ subscriptions, plans }: Tables): SubscriptionOperations {
  function ofCustomer(projectId: ProjectId, customer: Customer, planId: PlanId | null): Subscription[] {
    const all = subscriptions.where(customer.by, key(projectId, customer.value));
    return newestFirst(
      all.filter((row) => planId === null || row.planId === planId),
      'createdAt',
    );
  }

  function withPlan(subscription: Subscription): { subscription: Subscription; plan: Plan } {
    return { subscription, plan: planOf(plans, subscription) };
  }

  return {
    async findSubscription(projectId, id) {
      const subscription = subscriptions.get(id);
      return subscription?.projectId === projectId ? subscription : null;
    },
    async listByWalletAndPlan(planId, wallet) {
      const all = subscriptions.where('planAndWallet', key(planId, wallet));
      return newestFirst(
        all.filter(({ status }) => status !== 'expired'),
        'createdAt',
      );
    },
    async listByCustomer(projectId, customer, planId, ask) {
      const listed = ofCustomer(projectId, customer, planId).filter((row) => row.status !== 'superseded');
      const page = pageOf(listed, ask);
      return page === 'unknown_cursor' ? page : { ...page, data: page.data.map(withPlan) };
    },
    async listForAccess(projectId, customer, slug) {
      return ofCustomer(projectId, customer, null)
        .filter(({ status }) => status !== 'expired')
        .map(withPlan)
        .filter(({ plan }) => slug === null || plan.slug === slug);
    },
    async countPending(projectId, customer) {
      const pending = subscriptions.where('project', projectId).filter((row) => row.status === 'pending');
      return {
        project: counted(pending),
        customer: counted(pending.filter((row) => valueOf(row, customer) === customer.value)),
      };
    },
    async countOtherSeats(projectId, wallet, now) {
      const holders = subscriptions.where('project', projectId).filter((row) => holdsSeat(row, now));
      return new Set(holders.map((row) => row.wallet).filter((holder) => holder !== wallet)).size;
    },
  };
}

/** The plan of a subscription, which is always there: it was inserted before. */
export function planOf(plans: Tables['plans'], subscription: Subscription): Plan {
  const plan = plans.get(subscription.planId);
  if (plan === null) throw new Error(`Subscription ${subscription.id} is of an unknown plan.`);
  return plan;
}

function counted(pending: readonly Subscription[]): PendingCount {
  return {
    count: pending.length,
    oldestExpiresAt: earliest(pending.map((row) => row.checkoutExpiresAt)),
  };
}

function valueOf(row: Subscription, { by }: Customer): string | null {
  switch (by) {
    case 'wallet':
      return row.wallet;
    case 'external_id':
      return row.externalId;
    case 'email':
      return row.email;
  }
}

/** seats-and-tiers#what-a-seat-is. */
function holdsSeat(row: Subscription, now: Date): boolean {
  if (row.pausedAt !== null) return false;
  if (row.status === 'cancelled') return row.cancellation !== null && row.cancellation.expiresAt > now;
  return row.status === 'active' || row.status === 'unpaid';
}
