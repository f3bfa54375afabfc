import type {
  Attempt,
  ClaimedSubscription,
  Commit,
  Customer,
  PendingCount,
  PendingOwner,
  PlanId,
  ProjectId,
  Subscription,
  SubscriptionStore,
} from '@subrail/core/ports';
import { addFigures } from '../capabilities/figure-store.js';
import type { Journal } from '../journal.js';
import { earliest, newestFirst } from '../order.js';
import type { Tables } from '../tables.js';
import { pageWithPlans, planOf } from '../with-plans.js';
import { seatReads } from './seat-reads.js';

export function subscriptionStore(tables: Tables, journal: Journal): SubscriptionStore {
  const { subscriptions, plans } = tables;

  function subscriptionsOf(projectId: ProjectId, customer: Customer, planId: PlanId | null): Subscription[] {
    const all = subscriptions.where(customer.by, projectId, customer.value);
    return newestFirst(all.filter((row) => planId === null || row.planId === planId));
  }

  return {
    async findSubscription(projectId, id) {
      const subscription = subscriptions.get(id);
      return subscription?.projectId === projectId ? subscription : null;
    },
    async listByWalletAndPlan(planId, wallet) {
      const all = subscriptions.where('planAndWallet', planId, wallet);
      return newestFirst(all.filter(({ status }) => status !== 'expired'));
    },
    async listByCustomer(projectId, customer, planId, page) {
      return pageWithPlans(tables, subscriptionsOf(projectId, customer, planId), page);
    },
    async listForAccess(projectId, customer, slug) {
      return subscriptionsOf(projectId, customer, null)
        .filter(({ status }) => status !== 'expired')
        .map((subscription) => ({ subscription, plan: planOf(plans, subscription) }))
        .filter(({ plan }) => slug === null || plan.slug === slug);
    },
    async countPending(projectId, owner) {
      const pending = subscriptions.where('project', projectId).filter((row) => row.status === 'pending');
      return {
        project: pendingCountOf(pending),
        customer: pendingCountOf(pending.filter((row) => isOwnCheckout(row, owner))),
      };
    },
    ...seatReads(subscriptions),

    async commit(changes, figures = []) {
      const mark = journal.mark;
      if (isCurrent(tables, changes) && write(tables, changes)) {
        addFigures(tables, figures);
        return 'committed';
      }
      journal.undoTo(mark);
      return 'lost';
    },
    async claimDue(now, limit, leaseMs) {
      const due = subscriptions.takeDue(now, limit);
      const wakeAt = new Date(now.getTime() + leaseMs);
      const claimed = due.map((row) => ({ ...row, wakeAt, version: row.version + 1 }));
      subscriptions.put(claimed);
      return { claimed: claimed.map((subscription) => claimOf(tables, subscription)), unreadable: [] };
    },
    async listAccessEnds(now, limit) {
      const ended = subscriptions.listEnded(now, limit).map((subscription) => claimOf(tables, subscription));
      return { ended, unreadable: [] };
    },
    async wakeSubscribers(planId, at, limit) {
      const later = subscriptions
        .where('runningOfPlan', planId)
        .filter(({ wakeAt }) => wakeAt === null || wakeAt > at)
        .slice(0, limit);
      subscriptions.put(
        later.map((row) => ({ ...row, wakeAt: at, nextCheckAt: at, version: row.version + 1 })),
      );
      return later.length;
    },
    async nextWakeAt() {
      return subscriptions.firstDue();
    },
  };
}

/** Whether every change builds on the stored version. */
function isCurrent({ subscriptions }: Tables, changes: readonly Commit[]): boolean {
  return changes.every(({ subscription: { id, version } }) => {
    const stored = subscriptions.get(id)?.version ?? 0;
    return stored === version - 1;
  });
}

/** Writes all rows. Returns false at the first that would break a unique index. */
function write(tables: Tables, changes: readonly Commit[]): boolean {
  const terms = changes.flatMap(({ signedTerms }) => (signedTerms === null ? [] : [signedTerms]));
  return (
    tables.subscriptions.put(changes.map((change) => change.subscription)) === null &&
    tables.transfers.put(changes.flatMap((change) => change.transfers)) === null &&
    tables.attempts.insert(changes.flatMap((change) => withReceipts(tables, change))) === null &&
    tables.events.insert(changes.flatMap((change) => change.events)) === null &&
    tables.deliveries.insert(changes.flatMap((change) => change.deliveries)) === null &&
    tables.movements.insert(changes.flatMap((change) => change.movements)) === null &&
    tables.mails.insert(changes.flatMap((change) => change.mails)) === null &&
    tables.signedTerms.insert(terms) === null
  );
}

/** The attempts of a change, each that paid with the next number of its project's receipts. */
function withReceipts({ receiptCounters, sellers }: Tables, { subscription, attempts }: Commit): Attempt[] {
  const { projectId } = subscription;
  return attempts.map((attempt) => {
    if (attempt.outcome !== 'paid') return { ...attempt, receiptNumber: null, receiptPrefix: null };
    const receiptNumber = (receiptCounters.get(projectId)?.last ?? 0) + 1;
    receiptCounters.put([{ projectId, last: receiptNumber }]);
    return { ...attempt, receiptNumber, receiptPrefix: sellers.get(projectId)?.receiptPrefix ?? null };
  });
}

function claimOf({ plans, projects, transfers }: Tables, subscription: Subscription): ClaimedSubscription {
  const project = projects.get(subscription.projectId);
  if (project === null)
    throw new Error(
      `Subscription ${subscription.id} names project ${subscription.projectId}, which is not in the store.`,
    );
  const transfer = transfers.find('open', subscription.id);
  return { subscription, plan: planOf(plans, subscription), project, transfer };
}

function pendingCountOf(pending: readonly Subscription[]): PendingCount {
  return {
    count: pending.length,
    oldestExpiresAt: earliest(pending.map((row) => row.checkoutExpiresAt)),
  };
}

/**
 * Whether a pending checkout is an owner's: of the session that reserves it, else of its external id, else of
 * its email, else of its wallet.
 */
function isOwnCheckout(row: Subscription, { by, value }: PendingOwner): boolean {
  const { reservedFor, externalId, email, wallet } = row;
  if (by === 'session' || reservedFor !== null) return by === 'session' && reservedFor === value;
  switch (by) {
    case 'external_id':
      return externalId === value;
    case 'email':
      return externalId === null && email === value;
    case 'wallet':
      return externalId === null && email === null && wallet === value;
  }
}
