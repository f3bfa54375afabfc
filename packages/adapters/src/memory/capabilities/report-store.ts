import {
  leftAfter,
  type AttemptPlace,
  type DuePlace,
  type DueSubscriptions,
  type Payment,
  type PaymentFilter,
  type Plan,
  type PlanId,
  type ProjectId,
  type Refund,
  type ReportedAttempt,
  type ReportStore,
  type RunningCount,
  type Subscription,
  type SubscriptionFilter,
} from '@subrail/core/ports';
import { earliest, isBehind, newestFirst, pageOf, soonestFirst } from '../order.js';
import { isRunning, type Tables } from '../tables.js';

export function reportStore({
  subscriptions,
  plans,
  attempts,
  refunds,
  sellers,
  events,
  deliveries,
}: Tables): ReportStore {
  /** The dated subscriptions of a project, soonest first, after a place. */
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
      const rest = newestFirst(all).filter(
        (row) =>
          (cursor === undefined || isBehind(row, cursor)) && fits(row, plans.get(row.planId), filter, now),
      );
      const found = rest.slice(0, limit).flatMap((subscription) => {
        const plan = plans.get(subscription.planId);
        return plan === null ? [] : [{ subscription, plan }];
      });
      const last = found.at(-1)?.subscription.id ?? null;
      return { found, unreadable: [], next: rest.length > limit ? last : null };
    },
    async countSubscriptions(projectId, filter, now, limit) {
      const all = subscriptions
        .where('project', projectId)
        .filter((row) => fits(row, plans.get(row.planId), filter, now));
      const counted = newestFirst(all).slice(0, limit);
      const charged = new Map<PlanId, number>();
      for (const { planId } of counted.filter((row) => isCharged(row, plans.get(row.planId))))
        charged.set(planId, (charged.get(planId) ?? 0) + 1);
      return {
        count: counted.length,
        more: all.length > limit,
        charged: [...charged].map(([planId, count]) => ({ planId, count })),
      };
    },
    async searchPayments(projectId, filter, { limit, startingAfter }) {
      const all = subscriptions.where('project', projectId).flatMap((subscription) =>
        attempts.where('subscription', subscription.id).flatMap((attempt) => {
          const plan = plans.get(subscription.planId);
          return plan === null ? [] : [{ attempt, subscription, plan }];
        }),
      );
      const rowOf = new Map(all.map((row) => [row.attempt.id, row]));
      const cursor = startingAfter === null ? null : rowOf.get(startingAfter)?.attempt;
      if (cursor === undefined) return 'unknown_cursor';
      const rest = newestFirst(all.map(({ attempt }) => attempt))
        .filter((attempt) => cursor === null || isBehind(attempt, cursor))
        .flatMap(({ id }) => rowOf.get(id) ?? [])
        .filter((payment) => isFound(payment, filter));
      const found = rest.slice(0, limit).map(({ attempt, subscription, plan }) => {
        const { wallet, externalId, email } = subscription;
        return { attempt, subscription: { wallet, externalId, email }, plan };
      });
      return { found, unreadable: [], next: rest.length > limit ? (found.at(-1)?.attempt.id ?? null) : null };
    },
    async findPayment(projectId, id) {
      const attempt = attempts.get(id);
      const subscription = attempt === null ? null : subscriptions.get(attempt.subscriptionId);
      const plan = subscription === null ? null : plans.get(subscription.planId);
      if (attempt === null || subscription?.projectId !== projectId || plan === null) return null;
      const { wallet, externalId, email } = subscription;
      return { attempt, subscription: { wallet, externalId, email }, plan };
    },
    async insertRefund(refund, { charged, wallet, mint, received }) {
      const ofAttempt = refunds.where('attempt', refund.attemptId);
      if (ofAttempt.some(({ signature }) => signature === refund.signature)) return 'recorded';
      const ofReceipt = refunds.where('signature', refund.signature).filter(({ attemptId }) => {
        const subscription = subscriptions.get(attempts.get(attemptId)?.subscriptionId ?? '');
        return subscription?.wallet === wallet && plans.get(subscription.planId)?.mint === mint;
      });
      const [unpaid, unused] = [leftAfter(ofAttempt, charged), leftAfter(ofReceipt, received)];
      if (unpaid <= 0n) return 'nothing_charged_left';
      if (unused <= 0n) return 'nothing_received_left';
      refunds.insert([{ ...refund, amount: unpaid < unused ? unpaid : unused }]);
      return 'inserted';
    },
    async listRefunds(attemptIds) {
      const listed = attemptIds.flatMap((id) => refunds.where('attempt', id).sort(inOrderOfRecording));
      return { refunds: listed, unreadable: [] };
    },
    async saveSeller(seller) {
      sellers.put([seller]);
    },
    async findSeller(projectId) {
      return sellers.get(projectId);
    },
    async countBacklog(now, limit) {
      const woken = subscriptions
        .dueGroups(now)
        .flatMap((group) => subscriptions.listDue(group, now, limit))
        .sort((one, other) => Number(one.wakeAt) - Number(other.wakeAt))
        .slice(0, limit);
      const pending = deliveries.all().filter(({ state }) => state === 'pending');
      return {
        wakes: woken.length,
        charges: woken.filter(({ nextTryAt }) => nextTryAt !== null && nextTryAt <= now).length,
        deliveries: Math.min(pending.length, limit),
        oldestDeliveryAt: earliest(pending.map(({ createdAt }) => createdAt)),
        oldestHeldEventAt: earliest(events.where('held', 'held').map(({ createdAt }) => createdAt)),
      };
    },
    async nextDeliveryAt() {
      return deliveries.firstDue();
    },
    async countHeldEvents(subscriptionId) {
      return events.where('subscription', subscriptionId).filter(({ heldState }) => heldState !== null)
        .length;
    },
    async listSubscriptionDeliveries(subscriptionId, limit) {
      const all = events
        .where('subscription', subscriptionId)
        .flatMap(({ id }) => deliveries.where('event', id));
      return newestFirst(all).slice(0, limit);
    },
    async listProjectDeliveries(projectId, { endpointId, eventId, state }, page) {
      const listed = deliveries
        .where('project', projectId)
        .filter(
          (row) =>
            (endpointId === null || row.endpointId === endpointId) &&
            (eventId === null || row.eventId === eventId) &&
            (state === null || row.state === state),
        );
      return pageOf(newestFirst(listed), page);
    },
    async listByNextTry(projectId, after, limit, until) {
      const isDue = ({ nextTryAt }: Subscription) =>
        until === undefined || (nextTryAt !== null && nextTryAt < until);
      const dateOf = (row: Subscription) => (isRunning(row) && isDue(row) ? row.nextTryAt : null);
      return dueOf(projectId, dateOf, after, limit);
    },
    async listByPlanEnd(projectId, after, limit) {
      const dateOf = (row: Subscription, plan: Plan) =>
        row.status === 'active' || row.status === 'unpaid' ? plan.endsAt : null;
      return dueOf(projectId, dateOf, after, limit);
    },
    async listProjectAttempts(projectId, since, until, after, limit) {
      const rest = subscriptions
        .where('project', projectId)
        .flatMap(({ id, planId }) => attempts.where('subscription', id).map((row) => ({ ...row, planId })))
        .filter(({ attemptedAt }) => attemptedAt >= since && attemptedAt < until)
        .filter((row) => after === null || soonestFirst(placeOf(row), placeOf(after)) > 0)
        .sort((one, other) => soonestFirst(placeOf(one), placeOf(other)));
      const listed: readonly ReportedAttempt[] = rest.slice(0, limit);
      return { attempts: listed, unreadable: [], next: rest.length > limit ? (listed.at(-1) ?? null) : null };
    },
    async countRunning(projectId) {
      const running = subscriptions.where('project', projectId).filter(isRunning);
      return groupsOf(running, ({ planId, status }) => [planId, status]).map(([first, rows]) => ({
        planId: first.planId,
        status: first.status as RunningCount['status'],
        count: rows.length,
        parked: rows.filter(({ pausedAt }) => pausedAt !== null).length,
        blocked: rows.filter(({ blockedSince }) => blockedSince !== null).length,
      }));
    },
    async listUnpricedAttempts(since, after, limit) {
      return attempts
        .all()
        .filter((row) => row.amountUsd === null && row.attemptedAt >= since)
        .filter((row) => after === null || soonestFirst(placeOf(row), placeOf(after)) > 0)
        .sort((one, other) => soonestFirst(placeOf(one), placeOf(other)))
        .slice(0, limit)
        .flatMap((row) => {
          const plan = plans.get(subscriptions.get(row.subscriptionId)?.planId ?? '');
          if (plan === null) return [];
          const { id, attemptedAt, outcome, amount } = row;
          const { id: planId, projectId, mint, decimals } = plan;
          return [{ id, attemptedAt, outcome, amount, projectId, planId, mint, decimals }];
        });
    },
    async priceAttempts(amountsUsd) {
      const unpriced = [...amountsUsd].flatMap(([id, amountUsd]) => {
        const row = attempts.get(id);
        return row?.amountUsd === null ? [{ ...row, amountUsd }] : [];
      });
      attempts.put(unpriced);
      return unpriced.map(({ id }) => id);
    },
  };
}

function fits(row: Subscription, plan: Plan | null, filter: SubscriptionFilter, now: Date): boolean {
  const { status, late, blocked, failing, ending } = filter;
  const isLate = row.status === 'unpaid' && row.pausedAt === null;
  const isBlocked = row.blockedSince !== null;
  const hasPlanEnd = (row.status === 'active' || row.status === 'unpaid') && plan?.endsAt != null;
  return (
    isOfCustomer(row, filter) &&
    (status === null || statusAt(row, now) === status) &&
    (late === null || isLate === late) &&
    (blocked === null || isBlocked === blocked) &&
    (failing === null || (isLate || isBlocked) === failing) &&
    (ending === null || (hasPlanEnd || statusAt(row, now) === 'cancelled') === ending)
  );
}

function inOrderOfRecording(one: Refund, other: Refund): number {
  return one.recordedAt.getTime() - other.recordedAt.getTime() || (one.signature < other.signature ? -1 : 1);
}

/** Whether it is charged again before its plan ends. */
function isCharged({ status, pausedAt, termsSigned, nextTryAt }: Subscription, plan: Plan | null): boolean {
  const runs = (status === 'active' || status === 'unpaid') && pausedAt === null && termsSigned;
  const endsAt = plan?.endsAt ?? null;
  return runs && nextTryAt !== null && (endsAt === null || nextTryAt < endsAt);
}

/** Whether a subscription is the one, of the customer and to the plan that these filters name. */
function isOfCustomer(
  row: Subscription,
  filter: Pick<PaymentFilter, keyof PaymentFilter & keyof SubscriptionFilter>,
): boolean {
  const { id, address, wallet, externalId, email, planId } = filter;
  return (
    (id === null || row.id === id) &&
    (address === null || row.address === address) &&
    (wallet === null || row.wallet === wallet) &&
    (externalId === null || row.externalId === externalId) &&
    (email === null || row.email === email) &&
    (planId === null || row.planId === planId)
  );
}

function isFound(
  { attempt, subscription, plan }: Payment & { readonly subscription: Subscription },
  filter: PaymentFilter,
): boolean {
  const { since, until, mint, outcome, reason, signature } = filter;
  return (
    isOfCustomer(subscription, filter) &&
    (since === null || attempt.attemptedAt >= since) &&
    (until === null || attempt.attemptedAt < until) &&
    (mint === null || plan.mint === mint) &&
    (outcome === null || attempt.outcome === outcome) &&
    (reason === null || attempt.reason === reason) &&
    (signature === null || attempt.signature === signature)
  );
}

function statusAt({ status, cancellation }: Subscription, now: Date): Subscription['status'] {
  return status === 'cancelled' && cancellation !== null && cancellation.expiresAt <= now ? 'ended' : status;
}

function placeOf({ id, attemptedAt }: AttemptPlace) {
  return { id, at: attemptedAt };
}

/** Groups rows by key, each group with its first row. */
function groupsOf<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => readonly unknown[],
): readonly (readonly [first: Row, rows: readonly Row[]])[] {
  const groups = new Map<string, [Row, Row[]]>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const group = groups.get(key) ?? [row, []];
    group[1].push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}
