import type { EventFilter, Subscription, SubscriptionEvent } from '@subrail/core/ports';
import { newestFirst, pageOf } from '../order.js';
import { changing, replacing, reversing, type BrokenStore } from './break-store.js';

const withoutSeconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 60_000) * 60_000);
const cut = <Row>(rows: readonly Row[], limit: number) => ({
  data: rows.slice(0, limit),
  hasMore: rows.length > limit,
});
const listedOf = (events: readonly SubscriptionEvent[], { type, subscriptionId }: EventFilter) =>
  events.filter(
    (event) =>
      (type === null || event.type === type) &&
      (subscriptionId === null || event.subscriptionId === subscriptionId),
  );
const isRunning = ({ status }: Subscription): boolean => status === 'active' || status === 'unpaid';

/** Stores that read something else than what was written. */
export const BROKEN_READS: readonly BrokenStore[] = [
  {
    promise: 'reads a project as it was written',
    fault: 'drops a field',
    create: replacing((operations) => ({
      insertProject: (project) => operations.insertProject({ ...project, subscriberLimit: null }),
    })),
  },
  {
    promise: 'reads a plan as it was written, with amounts up to 2^64 - 1',
    fault: 'keeps amounts as floating point numbers',
    create: replacing((operations) => ({
      insertPlan: (plan) => operations.insertPlan({ ...plan, amount: BigInt(Number(plan.amount)) }),
    })),
  },
  {
    promise: 'reads a subscription as it was written, with nested dates and sums above 2^64',
    fault: 'cuts nested dates to minutes',
    create: replacing(
      changing((change) => {
        const { terms } = change.subscription;
        if (terms === null) return change;
        const cut = { ...terms, expiresAt: withoutSeconds(terms.expiresAt) };
        return { ...change, subscription: { ...change.subscription, terms: cut } };
      }),
    ),
  },
  {
    promise: 'reads null in nested objects as null',
    fault: 'leaves out a nested field that is null',
    create: replacing(
      changing((change) => {
        const { late } = change.subscription;
        if (late?.deadline !== null) return change;
        const { deadline: _, ...rest } = late;
        return { ...change, subscription: { ...change.subscription, late: rest as typeof late } };
      }),
    ),
  },
  {
    promise: 'reads an API key, an endpoint, an event and a delivery as they were written',
    fault: 'writes the data of events as text',
    create: replacing(
      changing((change) => ({
        ...change,
        events: change.events.map((event) => ({ ...event, data: JSON.stringify(event.data) })),
      })),
    ),
  },
  {
    promise: 'finds a customer by wallet, external id and email, and only within the project',
    fault: 'finds subscriptions of other projects',
    create: replacing((_, tables) => ({
      findSubscription: async (_project, id) => tables.subscriptions.get(id),
    })),
  },
  {
    promise: 'finds a customer by wallet, external id and email, and only within the project',
    fault: 'lists expired checkouts of a wallet',
    create: replacing((_, tables) => ({
      listByWalletAndPlan: async (planId, wallet) =>
        newestFirst(
          tables.subscriptions.all().filter((row) => row.planId === planId && row.wallet === wallet),
        ),
    })),
  },
  {
    promise: 'lists events since an instant, by type and by subscription',
    fault: 'ignores the type',
    create: replacing((operations) => ({
      listEvents: (projectId, since, filter, page) =>
        operations.listEvents(projectId, since, { ...filter, type: null }, page),
    })),
  },
  {
    promise: 'returns unknown_cursor for an id that is not in the list',
    fault: 'begins at the first page when it does not know the cursor',
    create: replacing((operations) => ({
      listAttempts: async (id, page) => {
        const found = await operations.listAttempts(id, page);
        return found === 'unknown_cursor'
          ? operations.listAttempts(id, { ...page, startingAfter: null })
          : found;
      },
    })),
  },
  {
    promise: 'neither repeats nor skips events while others are written',
    fault: 'counts pages by their offset',
    create: replacing((operations) => {
      const offsets = new Map<string, number>();
      return {
        async listEvents(projectId, since, filter, { limit, startingAfter }) {
          const skipped = startingAfter === null ? 0 : (offsets.get(startingAfter) ?? 0);
          const first = { limit: skipped + limit, startingAfter: null };
          const found = await operations.listEvents(projectId, since, filter, first);
          if (found === 'unknown_cursor') return found;
          const data = found.data.slice(skipped);
          const last = data.at(-1);
          if (last !== undefined) offsets.set(last.id, skipped + data.length);
          return { data, hasMore: found.hasMore };
        },
      };
    }),
  },
  {
    promise: 'lists events in the order of their writing, whatever their dates',
    fault: 'orders events by their dates',
    create: replacing((_, { events }) => ({
      listEvents: async (projectId, _since, filter, page) =>
        pageOf(newestFirst(listedOf(events.where('project', projectId), filter)), page),
    })),
  },
  {
    promise: 'keeps the place of an event in the list when its body is written',
    fault: 'places an event by when its row was last written',
    create: replacing((operations, { events }) => {
      const touched: string[] = [];
      return {
        saveBodiesIfAbsent: async (bodies) => {
          touched.push(...bodies.map(({ eventId }) => eventId));
          return operations.saveBodiesIfAbsent(bodies);
        },
        listEvents: async (projectId, _since, filter, page) =>
          pageOf(
            listedOf(events.newestWritten('project', projectId), filter).toSorted(
              (a, b) => touched.indexOf(b.id) - touched.indexOf(a.id),
            ),
            page,
          ),
      };
    }),
  },
  {
    promise: 'shows a poller every event exactly once, while callers write',
    fault: 'shows the last events of a commit before the first ones',
    create: replacing((operations, { events }) => {
      let written = new Set<string>();
      let hidden = written;
      return {
        async commit(changes) {
          const result = await operations.commit(changes);
          for (const { id } of changes.flatMap((change) => change.events).slice(0, 2)) written.add(id);
          return result;
        },
        async listEvents(projectId, _since, filter, page) {
          // They show from the next read of the list on.
          if (page.startingAfter === null) [hidden, written] = [written, new Set()];
          const listed = listedOf(events.newestWritten('project', projectId), filter);
          return pageOf(
            listed.filter(({ id }) => !hidden.has(id)),
            page,
          );
        },
      };
    }),
  },
  {
    promise: 'returns whether more rows follow a page',
    fault: 'promises more after a full page',
    create: replacing((operations) => ({
      listAttempts: async (id, page) => {
        const found = await operations.listAttempts(id, page);
        return found === 'unknown_cursor' ? found : { ...found, hasMore: found.data.length === page.limit };
      },
    })),
  },
  {
    promise: 'counts pending checkouts of the project and of the customer',
    fault: 'reports the project’s oldest checkout as the customer’s',
    create: replacing((operations) => ({
      async countPending(projectId, customer) {
        const counts = await operations.countPending(projectId, customer);
        const { oldestExpiresAt } = counts.project;
        return { ...counts, customer: { ...counts.customer, oldestExpiresAt } };
      },
    })),
  },
  {
    promise: 'counts for a customer only the checkouts opened in its own name',
    fault: 'counts the checkouts that others opened for the same wallet',
    create: replacing((operations, tables) => ({
      async countPending(projectId, customer) {
        const counts = await operations.countPending(projectId, customer);
        const ofWallet = tables.subscriptions
          .all()
          .filter(
            (row) => row.projectId === projectId && row.status === 'pending' && row.wallet === customer.value,
          );
        return { ...counts, customer: { ...counts.customer, count: ofWallet.length } };
      },
    })),
  },
  {
    promise: 'counts for a customer only the checkouts opened in its own name',
    fault: 'counts those that are reserved for a session for their email too',
    create: replacing((operations, tables) => ({
      async countPending(projectId, owner) {
        const counts = await operations.countPending(projectId, owner);
        if (owner.by !== 'email') return counts;
        const ofEmail = tables.subscriptions
          .where('email', projectId, owner.value)
          .filter(({ status, externalId }) => status === 'pending' && externalId === null);
        return { ...counts, customer: { ...counts.customer, count: ofEmail.length } };
      },
    })),
  },
  {
    promise: 'counts a seat per wallet that runs, or is cancelled and not yet expired',
    fault: 'counts parked subscriptions',
    create: replacing((_, tables) => ({
      async findSeats(projectId, _wallets, _now, most) {
        const running = tables.subscriptions
          .all()
          .filter((row) => row.projectId === projectId && isRunning(row));
        const seats = new Set(running.map(({ wallet }) => wallet)).size;
        return { subscriptions: [], seats: Math.min(most, seats) };
      },
    })),
  },
  {
    promise: 'keeps the terms of every commit, and each signature of terms once',
    fault: 'replaces earlier terms',
    create: replacing(
      changing((change, { signedTerms }) => {
        const { id } = change.subscription;
        if (change.signedTerms !== null)
          signedTerms.delete(
            signedTerms.where('subscription', id).map(({ signature }) => `${id}.${signature}`),
          );
        return change;
      }),
    ),
  },
  {
    promise: 'finds the terms that were signed last, as they were written',
    fault: 'finds those that were signed first',
    create: replacing((_, { signedTerms }) => ({
      findSignedTerms: async (id) => signedTerms.where('subscription', id)[0] ?? null,
    })),
  },
  {
    promise: 'lists the attempts without a USD amount, oldest first, and sets it once',
    fault: 'replaces a USD amount',
    create: replacing((_, { attempts }) => ({
      priceAttempts: async (amountsUsd) => {
        for (const row of attempts.all())
          attempts.put([{ ...row, amountUsd: amountsUsd.get(row.id) ?? row.amountUsd }]);
        return [...amountsUsd.keys()];
      },
    })),
  },
  {
    promise: 'lists the attempts without a USD amount, oldest first, and sets it once',
    fault: 'says that it set an amount that it kept',
    create: replacing((operations) => ({
      priceAttempts: async (amountsUsd) => {
        await operations.priceAttempts(amountsUsd);
        return [...amountsUsd.keys()];
      },
    })),
  },
  {
    promise: 'reads a transfer, an attempt and signed terms as they were written',
    fault: 'does not write why a transfer failed',
    create: replacing(
      changing((change) => ({
        ...change,
        transfers: change.transfers.map((row) => ({ ...row, reasonCode: null })),
      })),
    ),
  },
  {
    promise: 'neither repeats nor skips subscriptions while others are written',
    fault: 'continues a page at the next instant',
    create: replacing((operations) => ({
      async listByCustomer(projectId, customer, planId, page) {
        const found = await operations.listByCustomer(projectId, customer, planId, { ...page, limit: 99 });
        const cursor = await operations.listByCustomer(projectId, customer, planId, {
          limit: 99,
          startingAfter: null,
        });
        if (found === 'unknown_cursor' || cursor === 'unknown_cursor') return 'unknown_cursor';
        const last = cursor.data.find(({ subscription }) => subscription.id === page.startingAfter);
        const since = last?.subscription.createdAt.getTime();
        return cut(
          found.data.filter(({ subscription }) => subscription.createdAt.getTime() !== since),
          page.limit,
        );
      },
    })),
  },
  {
    promise: 'lists what a wallet is subscribed to in every project',
    fault: 'lists those of one project',
    create: replacing((operations) => ({
      async listByWallet(wallet, page) {
        const listed = await operations.listByWallet(wallet, { ...page, limit: 99 });
        if (listed === 'unknown_cursor') return listed;
        const [first] = listed.data;
        return cut(
          listed.data.filter(({ plan }) => plan.projectId === first?.plan.projectId),
          page.limit,
        );
      },
    })),
  },
  {
    promise: 'lists what a wallet is subscribed to in every project',
    fault: 'finds the subscriptions of any wallet',
    create: replacing((_, { subscriptions }) => ({
      findWalletSubscription: async (_wallet, id) => subscriptions.get(id),
    })),
  },
  {
    promise: 'neither repeats nor skips attempts while others are written',
    fault: 'continues a page at the next instant',
    create: replacing((operations, { attempts }) => ({
      async listAttempts(id, page) {
        const found = await operations.listAttempts(id, { ...page, limit: 99 });
        if (found === 'unknown_cursor') return found;
        const since = attempts.get(page.startingAfter ?? '')?.attemptedAt.getTime();
        return cut(
          found.data.filter(({ attemptedAt }) => attemptedAt.getTime() !== since),
          page.limit,
        );
      },
    })),
  },
  {
    promise: 'finds a transfer by signature, and lists transfers newest first',
    fault: 'finds open transfers only',
    create: replacing((operations) => ({
      async findTransferBySignature(signature) {
        const found = await operations.findTransferBySignature(signature);
        return found?.state === 'open' ? found : null;
      },
    })),
  },
  {
    promise: 'finds each charge of a transaction by its signature and index',
    fault: 'finds the one that was written first',
    create: replacing((_, { transfers }) => ({
      findTransferBySignature: async (signature) =>
        transfers.all().find((transfer) => transfer.signature === signature) ?? null,
    })),
  },
  {
    promise: 'lists transfers newest first, by id within one instant, at most the limit',
    fault: 'lists them all',
    create: replacing((operations) => ({
      listTransfers: (subscriptionId) => operations.listTransfers(subscriptionId, Infinity),
    })),
  },
  {
    promise: 'lists the endpoints of all projects by id, from a given one on, at most the limit',
    fault: 'begins at the first one after an id that is gone',
    create: replacing((operations, { endpoints }) => ({
      listEndpointsAfter: (after, limit) =>
        operations.listEndpointsAfter(endpoints.get(after ?? '')?.deletedAt === null ? after : null, limit),
    })),
  },
  {
    promise: 'lists the endpoints of all projects by id, from a given one on, at most the limit',
    fault: 'returns them in the reverse order',
    create: replacing((operations) => ({
      async listEndpointsAfter(...given) {
        const batch = await operations.listEndpointsAfter(...given);
        return { ...batch, endpoints: batch.endpoints.toReversed() };
      },
    })),
  },
  {
    promise: 'lists the endpoints of all projects by id, from a given one on, at most the limit',
    fault: 'says that none follows the first ones',
    create: replacing((operations) => ({
      listEndpointsAfter: async (...given) => ({
        ...(await operations.listEndpointsAfter(...given)),
        next: null,
      }),
    })),
  },
];

/** Stores that return a list in another order. */
export const BROKEN_ORDERS: readonly BrokenStore[] = [
  {
    promise: 'lists endpoints newest first, and by id within one instant',
    fault: 'returns listEndpoints in the reverse order',
    create: replacing((operations) => ({
      async listEndpoints(projectId) {
        const { endpoints, unreadable } = await operations.listEndpoints(projectId);
        return { endpoints: [...endpoints].reverse(), unreadable };
      },
    })),
  },
  ...(
    [
      ['listProjects', 'lists projects newest first, and by id within one instant'],
      ['listTransfers', 'lists transfers newest first, by id within one instant, at most the limit'],
      ['listDeliveries', 'lists the deliveries of an event newest first, and by id within one instant'],
      ['listByWalletAndPlan', 'lists subscriptions newest first, and by id within one instant'],
      ['listForAccess', 'lists subscriptions newest first, and by id within one instant'],
    ] as const
  ).map(([name, promise]) => ({
    promise,
    fault: `returns ${name} in the reverse order`,
    create: replacing(reversing(name)),
  })),
];
