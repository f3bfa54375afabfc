import { newestFirst } from '../order.js';
import { replacing, type BrokenStore } from './break-store.js';

/** Stores that find others than those that an operator searches for, or report another number. */
export const BROKEN_REPORTS: readonly BrokenStore[] = [
  {
    promise: 'finds the subscriptions of a project that fit every filter, newest first',
    fault: 'takes a parked subscription for a late one',
    create: replacing((operations) => ({
      searchSubscriptions: (projectId, filter, now, page) =>
        operations.searchSubscriptions(
          projectId,
          filter.late === true ? { ...filter, late: null, status: 'unpaid' } : filter,
          now,
          page,
        ),
    })),
  },
  {
    promise: 'finds the subscriptions of a project that fit every filter, newest first',
    fault: 'searches by the status that is stored',
    create: replacing((operations) => ({
      searchSubscriptions: (projectId, filter, _now, page) =>
        operations.searchSubscriptions(projectId, filter, new Date(0), page),
    })),
  },
  {
    promise: 'neither repeats nor skips subscriptions of a search while others are written',
    fault: 'counts pages by their offset',
    create: replacing((operations) => {
      const offsets = new Map<string, number>();
      return {
        async searchSubscriptions(projectId, filter, now, { limit, startingAfter }) {
          const skipped = startingAfter === null ? 0 : (offsets.get(startingAfter) ?? 0);
          const first = { limit: skipped + limit, startingAfter: null };
          const all = await operations.searchSubscriptions(projectId, filter, now, first);
          if (all === 'unknown_cursor') return all;
          const found = all.found.slice(skipped);
          const last = found.at(-1)?.subscription.id;
          if (last !== undefined) offsets.set(last, skipped + found.length);
          return { ...all, found };
        },
      };
    }),
  },
  {
    promise: 'goes on with a search after a subscription that does not fit any more',
    fault: 'knows a subscription that does not fit as a cursor no more',
    create: replacing((operations) => ({
      async searchSubscriptions(projectId, filter, now, page) {
        const cursor = { ...filter, id: page.startingAfter };
        const fitting = await operations.searchSubscriptions(projectId, cursor, now, {
          limit: 1,
          startingAfter: null,
        });
        return page.startingAfter !== null && fitting !== 'unknown_cursor' && fitting.found.length === 0
          ? 'unknown_cursor'
          : operations.searchSubscriptions(projectId, filter, now, page);
      },
    })),
  },
  {
    promise: 'counts what a search finds, up to a limit',
    fault: 'says that there are more when the limit is reached',
    create: replacing((operations) => ({
      async countSubscriptions(projectId, filter, now, limit) {
        const counted = await operations.countSubscriptions(projectId, filter, now, limit);
        return { ...counted, more: counted.count === limit };
      },
    })),
  },
  {
    promise: 'counts those that are charged again, by plan',
    fault: 'counts parked ones',
    create: replacing((operations, { subscriptions }) => ({
      async countSubscriptions(projectId, filter, now, limit) {
        const counted = await operations.countSubscriptions(projectId, filter, now, limit);
        const parked = subscriptions.where('project', projectId).filter(({ pausedAt }) => pausedAt !== null);
        const charged = counted.charged.map((one) => ({
          ...one,
          count: one.count + parked.filter(({ planId }) => planId === one.planId).length,
        }));
        return { ...counted, charged };
      },
    })),
  },
  {
    promise: 'finds a payment by its id, in its project',
    fault: 'finds that of any project',
    create: replacing((operations, { subscriptions, attempts }) => ({
      async findPayment(projectId, id) {
        const own = subscriptions.get(attempts.get(id)?.subscriptionId ?? '');
        return operations.findPayment(own?.projectId ?? projectId, id);
      },
    })),
  },
  {
    promise: 'stores a refund once for its attempt, of as much as is left of that, and lists it',
    fault: 'says of what is given back that nothing is left, also of a refund that is recorded',
    create: replacing((operations, { refunds }) => ({
      async insertRefund(refund, limits) {
        const before = refunds.where('attempt', refund.attemptId);
        const left = before.reduce((rest, { amount }) => rest - amount, limits.charged);
        return left <= 0n ? 'nothing_charged_left' : operations.insertRefund(refund, limits);
      },
    })),
  },
  {
    promise: 'gives out what a transaction brought to a wallet once, over all projects',
    fault: 'gives it out in each project',
    create: replacing((operations, { refunds }) => ({
      insertRefund(refund, limits) {
        const elsewhere = refunds
          .where('signature', refund.signature)
          .filter(({ projectId }) => projectId !== refund.projectId);
        const received = elsewhere.reduce((sum, { amount }) => sum + amount, limits.received);
        return operations.insertRefund(refund, { ...limits, received });
      },
    })),
  },
  {
    promise: 'gives out what a transaction brought to a wallet once, over all projects',
    fault: 'takes what it brought to another wallet for that',
    create: replacing((operations, { refunds }) => ({
      async insertRefund(refund, limits) {
        const all = refunds.where('signature', refund.signature);
        const left = all.reduce((rest, { amount }) => rest - amount, limits.received);
        return left <= 0n ? 'nothing_received_left' : operations.insertRefund(refund, limits);
      },
    })),
  },
  {
    promise: 'lets no two refunds pass their limit together',
    fault: 'reads the sum before others have written theirs',
    create: replacing((operations, { refunds }) => ({
      async insertRefund(refund, limits) {
        const before = refunds.where('signature', refund.signature);
        await Promise.resolve();
        const left = before.reduce((rest, { amount }) => rest - amount, limits.received);
        return left <= 0n
          ? 'nothing_received_left'
          : operations.insertRefund(refund, { ...limits, received: limits.received * 100n });
      },
    })),
  },
  {
    promise: 'finds the payments of a project that fit every filter, newest first',
    fault: 'lists those that are made at the end of the span',
    create: replacing((operations) => ({
      searchPayments: (projectId, filter, page) =>
        operations.searchPayments(
          projectId,
          { ...filter, until: filter.until && new Date(filter.until.getTime() + 1) },
          page,
        ),
    })),
  },
  {
    promise: 'finds the payments of a customer with many subscriptions',
    fault: 'lists those of the newest twenty',
    create: replacing((operations, { subscriptions }) => ({
      async searchPayments(projectId, filter, page) {
        const result = await operations.searchPayments(projectId, filter, page);
        if (result === 'unknown_cursor' || filter.externalId === null) return result;
        const ofCustomer = subscriptions
          .where('project', projectId)
          .filter(({ externalId }) => externalId === filter.externalId);
        const newest = new Set(
          newestFirst(ofCustomer)
            .slice(0, 20)
            .map(({ id }) => id),
        );
        return { ...result, found: result.found.filter(({ attempt }) => newest.has(attempt.subscriptionId)) };
      },
    })),
  },
  {
    promise: 'finds what belongs to many plans',
    fault: 'lists the payments of one plan of a token',
    create: replacing((operations) => ({
      async searchPayments(projectId, filter, page) {
        const result = await operations.searchPayments(projectId, filter, page);
        if (result === 'unknown_cursor' || filter.mint === null) return result;
        const [first] = result.found;
        return { ...result, found: result.found.filter(({ plan }) => plan.id === first?.plan.id) };
      },
    })),
  },
  {
    promise: 'neither repeats nor skips payments while others are written',
    fault: 'continues at the next instant',
    create: replacing((operations, { attempts }) => ({
      searchPayments(projectId, filter, page) {
        const cursor = attempts.get(page.startingAfter ?? '');
        return cursor === null
          ? operations.searchPayments(projectId, filter, page)
          : operations.searchPayments(
              projectId,
              { ...filter, until: cursor.attemptedAt },
              { ...page, startingAfter: null },
            );
      },
    })),
  },
  {
    promise: 'counts the held events of a subscription',
    fault: 'counts those that are not held too',
    create: replacing((_, { events }) => ({
      countHeldEvents: async (id) => events.where('subscription', id).length,
    })),
  },
  {
    promise: 'lists the newest deliveries of a subscription’s events, at most the limit',
    fault: 'lists those of the newest events',
    create: replacing((_, { events, deliveries }) => ({
      listSubscriptionDeliveries: async (id, limit) =>
        newestFirst(events.where('subscription', id))
          .flatMap((event) => deliveries.where('event', event.id))
          .slice(0, limit),
    })),
  },
  {
    promise: 'lists the running subscriptions of a project by their next try, soonest first',
    fault: 'leaves out the parked ones',
    create: replacing((operations) => ({
      async listByNextTry(projectId, after, limit) {
        const listed = await operations.listByNextTry(projectId, after, limit);
        return { ...listed, due: listed.due.filter(({ subscription }) => subscription.pausedAt === null) };
      },
    })),
  },
  {
    promise: 'lists the running subscriptions of a project by their next try, soonest first',
    fault: 'goes on after the end that it was given',
    create: replacing((operations) => ({
      listByNextTry: (projectId, after, limit) => operations.listByNextTry(projectId, after, limit),
    })),
  },
  {
    promise: 'lists the charged subscriptions of plans that end, by the end and then by id',
    fault: 'lists those of one plan after those of another, although both end at once',
    create: replacing((operations) => ({
      async listByPlanEnd(projectId, after, limit) {
        const { due } = await operations.listByPlanEnd(projectId, null, Infinity);
        const byPlan = due.toSorted(
          (a, b) =>
            Number(a.plan.endsAt) - Number(b.plan.endsAt) ||
            (a.plan.id < b.plan.id ? -1 : a.plan.id > b.plan.id ? 1 : 0),
        );
        const begin = byPlan.findIndex(({ subscription }) => subscription.id === after?.id) + 1;
        const page = byPlan.slice(begin, begin + limit);
        const last = page.at(-1);
        const next = { at: last?.plan.endsAt ?? new Date(0), id: last?.subscription.id as never };
        return { due: page, unreadable: [], next: byPlan.length > begin + limit ? next : null };
      },
    })),
  },
  {
    promise: 'neither repeats nor skips what comes next while others are written',
    fault: 'continues at the next instant',
    create: replacing((operations) => ({
      async listByNextTry(projectId, after, limit) {
        const behind = after === null ? null : { at: after.at, id: 'sub_~' as never };
        return operations.listByNextTry(projectId, behind, limit);
      },
    })),
  },
  {
    promise: 'lists the attempts of a project in a span of time, oldest first',
    fault: 'lists those that are made at the end of the span',
    create: replacing((operations) => ({
      listProjectAttempts: (projectId, since, until, after, limit) =>
        operations.listProjectAttempts(projectId, since, new Date(until.getTime() + 1), after, limit),
    })),
  },
  {
    promise: 'counts the subscriptions of a project that run, by plan and status',
    fault: 'does not count the parked ones',
    create: replacing((operations) => ({
      countRunning: async (projectId) =>
        (await operations.countRunning(projectId)).map((row) => ({ ...row, count: row.count - row.parked })),
    })),
  },
  {
    promise: 'counts the subscriptions that wake, and those of them whose next try has come',
    fault: 'takes every wake for a charge',
    create: replacing((operations) => ({
      async countBacklog(now, limit) {
        const counted = await operations.countBacklog(now, limit);
        return { ...counted, charges: counted.wakes };
      },
    })),
  },
  {
    promise: 'counts the pending deliveries, and finds the oldest, and that of held events',
    fault: 'counts the deliveries that are due',
    create: replacing((operations, { deliveries }) => ({
      async countBacklog(now, limit) {
        const due = deliveries
          .all()
          .filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now);
        return { ...(await operations.countBacklog(now, limit)), deliveries: due.length };
      },
    })),
  },
  {
    promise: 'counts no more than the limit of what waits',
    fault: 'counts everything',
    create: replacing((operations) => ({
      countBacklog: (now) => operations.countBacklog(now, Infinity),
    })),
  },
];
