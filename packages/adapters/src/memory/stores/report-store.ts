import type {
  DuePlace,
  DueSubscriptions,
  Plan,
  ProjectId,
  ReportStore,
  Subscription,
  SubscriptionFilter,
} from '@subrail/core/ports';
import { isBehind, newestFirst, soonestFirst } from '../order.js';
import { isRunning, type Tables } from '../tables.js';

/** What an operator asks for: searches over a whole project, and reports. */
export function reportStore({ subscriptions, plans, events, deliveries }: Tables): ReportStore {
  /** The project's running subscriptions that have a date, soonest first, from a place on. */
  function dueOf(
    projectId: ProjectId,
    dateOf: (row: Subscription, plan: Plan) => Date | null,
    after: DuePlace | null,
    limit: number,
  ): DueSubscriptions {
    const dated = subscriptions.where('project', projectId).flatMap((subscription) => {
      const plan = plans.get(subscription.planId);
      const at = plan === null ? null : dateOf(subscription, plan);
      return at === null || plan === null ? [] : [{ subscription, plan, place: { at, id: subscription.id } }];
    });
    const rest = dated
      .filter(({ place }) => after === null || soonestFirst(place, after) > 0)
      .sort((one, other) => soonestFirst(one.place, other.place));
    const due = rest.slice(0, limit);
    return {
      due: due.map(({ subscription, plan }) => ({ subscription, plan })),
      unreadable: [],
      next: rest.length > limit ? (due.at(-1)?.place ?? null) : null,
    };
  }

  return {
    async searchSubscriptions(projectId, filter, now, { limit, startingAfter }) {
      const all = subscriptions.where('project', projectId);
      const cursor = all.find(({ id }) => id === startingAfter);
      if (cursor === undefined && startingAfter !== null) return 'unknown_cursor';
      const rest = newestFirst(all, 'createdAt').filter(
        (row) => (cursor === undefined || isBehind(row, cursor)) && fits(row, filter, now),
      );
      const found = rest.slice(0, limit).flatMap((subscription) => {
        const plan = plans.get(subscription.planId);
        return plan === null ? [] : [{ subscription, plan }];
      });
      const last = found.at(-1)?.subscription.id ?? null;
      return { found, unreadable: [], next: rest.length > limit ? last : null };
    },
    async countHeldEvents(subscriptionId) {
      return events.where('subscription', subscriptionId).filter(({ heldState }) => heldState !== null)
        .length;
    },
    async listSubscriptionDeliveries(subscriptionId, limit) {
      const all = events
        .where('subscription', subscriptionId)
        .flatMap(({ id }) => deliveries.where('event', id));
      return newestFirst(all, 'createdAt').slice(0, limit);
    },
    async listByNextTry(projectId, after, limit) {
      const dateOf = (row: Subscription) => (isRunning(row) ? row.nextTryAt : null);
      return dueOf(projectId, dateOf, after, limit);
    },
    async listByPlanEnd(projectId, after, limit) {
      const dateOf = (row: Subscription, plan: Plan) =>
        row.status === 'active' || row.status === 'unpaid' ? plan.endsAt : null;
      return dueOf(projectId, dateOf, after, limit);
    },
  };
}

function fits(row: Subscription, filter: SubscriptionFilter, now: Date): boolean {
  const { id, address, wallet, externalId, email, planId, status, late, blocked } = filter;
  return (
    (id === null || row.id === id) &&
    (address === null || row.address === address) &&
    (wallet === null || row.wallet === wallet) &&
    (externalId === null || row.externalId === externalId) &&
    (email === null || row.email === email) &&
    (planId === null || row.planId === planId) &&
    (status === null || statusAt(row, now) === status) &&
    (late === null || (row.status === 'unpaid' && row.pausedAt === null) === late) &&
    (blocked === null || (row.blockedSince !== null) === blocked)
  );
}

function statusAt({ status, cancellation }: Subscription, now: Date): Subscription['status'] {
  return status === 'cancelled' && cancellation !== null && cancellation.expiresAt <= now ? 'ended' : status;
}
