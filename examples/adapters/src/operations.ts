import { isDeepStrictEqual } from 'node:util';
import type {
  BatchCursor,
  Customer,
  HeldEventCursor,
  Page,
  PageRequest,
  PlanConflict,
  ProjectId,
  StoreOperations,
  Subscription,
  SubscriptionId,
  UnpricedAttempt,
} from '@subrail/core/ports';
import { reportsOn } from './reports.js';
import { seatsOn } from './seats.js';
import { brokenRule, copyOf, idOf, newestFirst, type Rows, type Tables } from './tables.js';

type Name = keyof Rows;

/** Ends a change that does not fit what is stored: a version is another one, or an id is taken. */
class Conflict extends Error {}

/** Every operation of the port, on the tables of `draft`. None of them waits, so no two ever interleave. */
export function operationsOn(draft: { tables: Tables }): StoreOperations {
  /** The rows whose fields have these values, newest first. */
  const where = <N extends Name>(name: N, fields: Partial<Rows[N]> = {}): Rows[N][] =>
    [...(draft.tables[name].values() as Iterable<Rows[N]>)]
      .filter((row) => isDeepStrictEqual({ ...row, ...fields }, row))
      .sort(newestFirst);
  const one = <N extends Name>(name: N, fields: Partial<Rows[N]>) => where(name, fields)[0] ?? null;
  const existing = <N extends Name>(name: N, id: string): Rows[N] => {
    const row = draft.tables[name].get(id);
    if (row === undefined) throw new Error(`There is no ${id} among the ${name}.`);
    return row;
  };
  const withRelated = (subscription: Subscription) => ({
    ...withPlan(subscription),
    project: existing('projects', subscription.projectId),
    transfer: one('transfers', { subscriptionId: subscription.id, state: 'open' }),
  });
  const withPlan = (subscription: Subscription) => ({
    subscription,
    plan: existing('plans', subscription.planId),
  });
  const ofCustomer = (projectId: ProjectId, { by, value }: Customer) =>
    where('subscriptions', { projectId, [by === 'external_id' ? 'externalId' : by]: value });

  /** A page of those that are not superseded. */
  const pageWithPlans = (all: readonly Subscription[], request: PageRequest<SubscriptionId>) => {
    const page = pageOf(
      all.filter(({ status }) => status !== 'superseded'),
      request,
    );
    return page === 'unknown_cursor' ? page : { ...page, data: page.data.map(withPlan) };
  };

  /** Every held event, by subscription and then by sequence. */
  const heldEvents = () =>
    where('events')
      .filter(({ heldState }) => heldState !== null)
      .sort((a, b) => (isBehind(a, b) ? 1 : -1));

  /** Changes a copy of the tables. Keeps it and returns null, or drops it and returns what the change conflicts with. */
  const change = (work: (next: Tables) => void): string | null => {
    const next = copyOf(draft.tables);
    try {
      work(next);
    } catch (error) {
      if (error instanceof Conflict) return error.message;
      throw error;
    }
    const broken = brokenRule(next);
    if (broken === null) draft.tables = next;
    return broken;
  };
  const put = <N extends Name>(name: N, rows: readonly Rows[N][]): string | null =>
    rows.length === 0 ? null : change((next) => putInto(next[name], rows));
  const patch = <N extends Name>(name: N, rows: readonly Rows[N][], fields: Partial<Rows[N]>): Rows[N][] => {
    const patched = rows.map((row) => ({ ...row, ...fields }));
    put(name, patched);
    return patched;
  };
  const remove = <N extends Name>(name: N, rows: readonly Rows[N][]): number => {
    change((next) => {
      for (const row of rows) next[name].delete(idOf(row));
    });
    return rows.length;
  };
  const insert = <N extends Name>(name: N, row: Rows[N]): string | null => {
    if (draft.tables[name].has(idOf(row))) throw new Error(`The id ${idOf(row)} is taken.`);
    return put(name, [row]);
  };
  const update = <N extends 'plans' | 'endpoints'>(name: N, row: Rows[N]) =>
    draft.tables[name].get(row.id)?.version === row.version - 1 && put(name, [row]) === null
      ? 'updated'
      : 'lost';

  /** Removes deliveries with their attempts. */
  const removeDeliveries = (rows: readonly Rows['deliveries'][]) => {
    remove(
      'deliveryAttempts',
      rows.flatMap(({ id }) => where('deliveryAttempts', { deliveryId: id })),
    );
    return remove('deliveries', rows);
  };

  return {
    ...reportsOn(draft, where),
    ...seatsOn(where),
    async claimChainIdentity(identity) {
      const [stored] = where('chain');
      if (stored === undefined) put('chain', [identity]);
      return stored ?? identity;
    },
    insertProject: async (project) => void insert('projects', project),
    async updateProject(project) {
      existing('projects', project.id);
      put('projects', [project]);
    },
    findProject: async (id) => one('projects', { id }),
    listProjects: async () => where('projects'),
    async deleteProject(projectId) {
      if (where('plans', { projectId }).length > 0 || where('endpoints', { projectId }).length > 0)
        return 'in_use';
      remove('apiKeys', where('apiKeys', { projectId }));
      remove('projects', where('projects', { id: projectId }));
      return 'deleted';
    },
    async insertApiKey(key) {
      if (insert('apiKeys', key) !== null) throw new Error('The hash of the key is taken.');
    },
    async findApiKey(hash) {
      const key = one('apiKeys', { hash, revokedAt: null });
      return key && { key, project: existing('projects', key.projectId) };
    },
    async touchApiKey(id, at) {
      patch('apiKeys', where('apiKeys', { id }).filter(wasUsedBefore(at)), { lastUsedAt: at });
    },
    async revokeApiKey(id, at) {
      patch('apiKeys', where('apiKeys', { id, revokedAt: null }), { revokedAt: at });
    },
    listApiKeys: async (projectId) => where('apiKeys', { projectId }),
    async expireApiKey(id, at) {
      const keys = where('apiKeys', { id, revokedAt: null, expiresAt: null });
      return patch('apiKeys', keys, { expiresAt: at }).length === 1 ? 'expired' : 'lost';
    },

    async insertManagementKey(key) {
      if (insert('managementKeys', key) !== null) throw new Error('The hash of the key is taken.');
    },
    findManagementKey: async (hash) => one('managementKeys', { hash, revokedAt: null }),
    listManagementKeys: async () => where('managementKeys'),
    async touchManagementKey(id, at) {
      patch('managementKeys', where('managementKeys', { id }).filter(wasUsedBefore(at)), { lastUsedAt: at });
    },
    async revokeManagementKey(id, at) {
      patch('managementKeys', where('managementKeys', { id, revokedAt: null }), { revokedAt: at });
    },
    insertAct: async (act) => void insert('acts', act),
    async settleAct(id, subject, outcome) {
      patch('acts', where('acts', { id, outcome: null }), { subject, outcome });
    },
    listActs: async ({ projectId, subject }, request) =>
      pageOf(
        where('acts', {
          ...(projectId === null ? {} : { projectId }),
          ...(subject === null ? {} : { subject }),
        }),
        request,
      ),

    insertPlan: async (plan) => (insert('plans', plan) as PlanConflict | null) ?? 'inserted',
    updatePlan: async (plan) => update('plans', plan),
    findPlan: async (id) => one('plans', { id }),
    findPlanBySlug: async (projectId, slug) =>
      where('plans', { projectId, slug }).find(({ status }) => status !== 'failed') ?? null,
    async claimPlanChecks(now, limit, leaseMs) {
      const next = due(where('plans'), 'nextCheckAt', now).slice(0, limit);
      const claimed = patch('plans', next, { nextCheckAt: new Date(now.getTime() + leaseMs) });
      return { claimed, unreadable: [] };
    },
    async schedulePlanChecks(ids, nextCheckAt) {
      patch(
        'plans',
        where('plans').filter(({ id }) => ids.includes(id)),
        { nextCheckAt },
      );
    },
    listPlans: async (projectId) => where('plans', { projectId }),
    listPublishedPlans: async (projectId) =>
      where('plans', { projectId })
        .filter(({ status }) => status === 'active' || status === 'sunset')
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),

    findSubscription: async (projectId, id) => one('subscriptions', { projectId, id }),
    listByWalletAndPlan: async (planId, wallet) =>
      where('subscriptions', { planId, wallet }).filter(({ status }) => status !== 'expired'),
    findWalletSubscription: async (wallet, id) => one('subscriptions', { wallet, id }),
    listByWallet: async (wallet, request) =>
      pageWithPlans(
        where('subscriptions', { wallet }).filter(({ confirmedAt }) => confirmedAt !== null),
        request,
      ),
    listByCustomer: async (projectId, customer, planId, request) =>
      pageWithPlans(
        ofCustomer(projectId, customer).filter((row) => planId === null || row.planId === planId),
        request,
      ),
    listForAccess: async (projectId, customer, slug) =>
      ofCustomer(projectId, customer)
        .filter(({ status }) => status !== 'expired')
        .map(withPlan)
        .filter(({ plan }) => slug === null || plan.slug === slug),
    async countPending(projectId, customer) {
      const count = (fields: Partial<Subscription>) => {
        const pending = where('subscriptions', { projectId, status: 'pending', ...fields });
        return { count: pending.length, oldestExpiresAt: earliest(pending, 'checkoutExpiresAt') };
      };
      return { project: count({}), customer: count(ownCheckout(customer)) };
    },

    commit: async (changes) =>
      change((next) => {
        for (const { subscription, attempts, transfers, events, deliveries, signedTerms } of changes) {
          const storedVersion = next.subscriptions.get(subscription.id)?.version ?? 0;
          if (storedVersion !== subscription.version - 1) throw new Conflict('version');
          putInto(next.subscriptions, [subscription]);
          putInto(next.transfers, transfers);
          insertInto(next.attempts, attempts);
          insertInto(next.events, events);
          insertInto(next.deliveries, deliveries);
          insertInto(next.signedTerms, signedTerms === null ? [] : [signedTerms]);
        }
      }) === null
        ? 'committed'
        : 'lost',
    async claimDue(now, limit, leaseMs) {
      const wakeAt = new Date(now.getTime() + leaseMs);
      const all = due(where('subscriptions'), 'wakeAt', now);
      const next = all.length > limit ? sharedBetweenProjects(all, limit) : all;
      const leased = next.map((row) => ({ ...row, wakeAt, version: row.version + 1 }));
      put('subscriptions', leased);
      return { claimed: leased.map(withRelated), unreadable: [] };
    },
    async listAccessEnds(now, limit) {
      const ended = due(where('subscriptions'), 'accessEndsAt', now).slice(0, limit);
      return { ended: ended.map(withRelated), unreadable: [] };
    },
    async wakeSubscribers(planId, at, limit) {
      const isLater = ({ wakeAt }: Subscription) => wakeAt === null || wakeAt > at;
      const later = where('subscriptions', { planId }).filter((row) => isRunning(row) && isLater(row));
      const woken = later.slice(0, limit);
      put(
        'subscriptions',
        woken.map((row) => ({ ...row, wakeAt: at, nextCheckAt: at, version: row.version + 1 })),
      );
      return woken.length;
    },
    nextWakeAt: async () => earliest(where('subscriptions'), 'wakeAt'),

    findOpenTransfer: async (subscriptionId) => one('transfers', { subscriptionId, state: 'open' }),
    findTransferBySignature: async (signature, paymentIndex = 0) =>
      one('transfers', { signature, paymentIndex }),
    listTransfers: async (subscriptionId, limit) => where('transfers', { subscriptionId }).slice(0, limit),
    findSignedTerms: async (subscriptionId) => one('signedTerms', { subscriptionId }),
    listAttempts: async (subscriptionId, request) => pageOf(where('attempts', { subscriptionId }), request),
    findPaidAttempt: async (subscriptionId, periodStart) =>
      one('attempts', { subscriptionId, periodStart, outcome: 'paid' }),
    listUnpricedAttempts: async (since, after, limit) =>
      where('attempts', { amountUsd: null })
        .filter((row) => row.attemptedAt >= since && (after === null || follows(row, after)))
        .slice(-limit)
        .reverse()
        .map(({ id, subscriptionId, attemptedAt, amount }) => {
          const { mint, decimals } = withPlan(existing('subscriptions', subscriptionId)).plan;
          return { id, attemptedAt, amount, mint, decimals };
        }),
    async priceAttempts(amountsUsd) {
      const unpriced = where('attempts', { amountUsd: null }).filter(({ id }) => amountsUsd.has(id));
      put(
        'attempts',
        unpriced.map((row) => ({ ...row, amountUsd: amountsUsd.get(row.id) ?? null })),
      );
    },

    findEvent: async (projectId, id) => one('events', { projectId, id, heldState: null }),
    async listEvents(projectId, since, { type, subscriptionId }, request) {
      // A table keeps its rows in the order in which they were first written.
      const listed = [...draft.tables.events.values()]
        .reverse()
        .filter(
          (row) =>
            row.projectId === projectId &&
            row.heldState === null &&
            row.createdAt >= since &&
            (type === null || row.type === type) &&
            (subscriptionId === null || row.subscriptionId === subscriptionId),
        );
      return pageOf(listed, request);
    },
    async saveBodiesIfAbsent(bodies) {
      const written = bodies.map(({ eventId, body }) => {
        const event = existing('events', eventId);
        return { ...event, body: event.body ?? body };
      });
      put('events', written);
      return written.map(({ body }) => body);
    },
    async listHeldEvents(limit, after) {
      const following = heldEvents().filter((row) => after === null || isBehind(row, after));
      const held = following.slice(0, limit);
      return { held, unreadable: [], next: held.length < following.length ? (held.at(-1) ?? null) : null };
    },
    async releaseEvents(subscriptionId, snapshots, at) {
      const held = heldEvents().filter((row) => row.subscriptionId === subscriptionId);
      const released = held.filter(({ id }) => snapshots.has(id));
      const firstHeld = held.find(({ id }) => !snapshots.has(id))?.sequence ?? Infinity;
      const before = where('events', { subscriptionId }).filter(({ sequence }) => sequence < firstHeld);
      const waiting = before.flatMap(({ id: eventId }) =>
        where('deliveries', { eventId, state: 'pending', nextAttemptAt: null }),
      );
      const subscription = existing('subscriptions', subscriptionId);
      const version = subscription.version + 1;
      change((next) => {
        for (const event of released) {
          // A row that is put in again is the last one of its table.
          next.events.delete(event.id);
          putInto(next.events, [{ ...event, data: snapshots.get(event.id) ?? null, heldState: null }]);
        }
        putInto(
          next.deliveries,
          waiting.map((row) => ({ ...row, nextAttemptAt: at })),
        );
        putInto(next.subscriptions, [{ ...subscription, version, hasHeldEvents: firstHeld < Infinity }]);
      });
      return released.length;
    },

    insertEndpoint: async (endpoint) => (insert('endpoints', endpoint) === null ? 'inserted' : 'taken'),
    updateEndpoint: async (endpoint) => update('endpoints', endpoint),
    listEndpoints: async (projectId) => ({
      endpoints: where('endpoints', { projectId, deletedAt: null }),
      unreadable: [],
    }),
    async listEndpointsAfter(after, limit) {
      const endpoints = where('endpoints', { deletedAt: null })
        .filter(({ id }) => after === null || id > after)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit);
      const next = endpoints.length === limit ? (endpoints.at(-1)?.id ?? null) : null;
      return { endpoints, unreadable: [], next };
    },
    findEndpoint: async (projectId, id) => one('endpoints', { projectId, id, deletedAt: null }),
    async claimEndpoints(now, limits, leaseMs) {
      const left = { ...limits };
      const pending = due(where('deliveries', { state: 'pending' }), 'nextAttemptAt', now);
      const longest = new Date(now.getTime() + 2 * leaseMs);
      const leases = where('leases').filter(({ until }) => until > now && until <= longest);
      const leased = new Set(leases.map(({ id }) => id));
      const claimed = [...new Set(pending.map(({ endpointId }) => endpointId))]
        .filter((id) => !leased.has(id))
        .map((id) => existing('endpoints', id))
        .filter(({ failingSince }) => left[failingSince === null ? 'healthy' : 'failing']-- > 0);
      const until = new Date(now.getTime() + leaseMs);
      put(
        'leases',
        claimed.map(({ id }) => ({ id, until })),
      );
      return { claimed: claimed.map((endpoint) => ({ endpoint, leasedUntil: until })), unreadable: [] };
    },
    async releaseEndpoint(id, leasedUntil) {
      patch('leases', where('leases', { id, until: leasedUntil }), { until: new Date(0) });
    },
    async listDueDeliveries(endpointId, now, limit) {
      const pending = due(where('deliveries', { endpointId, state: 'pending' }), 'nextAttemptAt', now);
      const found = pending.flatMap((delivery) => {
        const { eventId } = delivery;
        return eventId === null
          ? []
          : [{ delivery: { ...delivery, eventId }, event: existing('events', eventId) }];
      });
      return { due: found.slice(0, limit), unreadable: [] };
    },
    async postponeUnreadableDelivery(id, nextAttemptAt) {
      const pending = where('deliveries', { state: 'pending' });
      patch(
        'deliveries',
        pending.filter((row) => row.id === id),
        { nextAttemptAt },
      );
    },
    settleDeliveries: async (results) =>
      results.map(({ delivery, wasDueAt, attempt }) => {
        const { id, attempts } = delivery;
        const before = { id, state: 'pending', attempts: attempts - 1, nextAttemptAt: wasDueAt } as const;
        if (one('deliveries', before) === null) return 'lost';
        put('deliveries', [delivery]);
        put('deliveryAttempts', [attempt]);
        return 'settled';
      }),
    async failDeliveries(endpointId, at) {
      const pending = where('deliveries', { endpointId, state: 'pending' });
      return patch('deliveries', pending, { state: 'failed', nextAttemptAt: null, settledAt: at }).length;
    },
    insertDeliveries: async (deliveries) => deliveries.filter((row) => insert('deliveries', row) === null),
    async resendDeliveries(endpointId, eventIds, states, at) {
      const found = where('deliveries', { endpointId }).filter(
        ({ eventId, state, nextAttemptAt }) =>
          eventId !== null &&
          eventIds.includes(eventId) &&
          states.includes(state) &&
          // One that waits for a held event is left alone.
          (state !== 'pending' || nextAttemptAt !== null),
      );
      put(
        'deliveries',
        found.map((row) => ({
          ...row,
          state: 'pending',
          attemptsBefore: row.attempts,
          nextAttemptAt: at,
          settledAt: null,
        })),
      );
      return found.length;
    },
    listTestDeliveries: async (endpointId, since) =>
      where('deliveries', { endpointId, eventId: null }).filter(({ createdAt }) => createdAt >= since),
    async failUnfinishedTests(createdBefore, excerpt, at) {
      const pending = where('deliveries', { eventId: null, state: 'pending' });
      const unfinished = pending.filter(({ createdAt }) => createdAt < createdBefore);
      return patch('deliveries', unfinished, { state: 'failed', lastExcerpt: excerpt, settledAt: at }).length;
    },
    async hastenDeliveries(after, at, limit, cursor) {
      const pending = where('deliveries', { state: 'pending' }).filter(({ eventId }) => eventId !== null);
      const { rows, next } = batchOf(pending, 'nextAttemptAt', (date) => date > after, limit, cursor);
      const hastened = rows.filter(
        ({ id, attempts, attemptsBefore }) =>
          attempts === attemptsBefore ||
          where('deliveryAttempts', { deliveryId: id, number: attempts }).some(
            ({ startedAt }) => startedAt > after,
          ),
      );
      return { changed: patch('deliveries', hastened, { nextAttemptAt: at }).length, next };
    },
    findDelivery: async (projectId, id) => one('deliveries', { projectId, id }),
    async listProjectDeliveries(projectId, { endpointId, eventId, state }, request) {
      const listed = where('deliveries', {
        projectId,
        ...(endpointId === null ? {} : { endpointId }),
        ...(eventId === null ? {} : { eventId }),
        ...(state === null ? {} : { state }),
      });
      return pageOf(listed, request);
    },
    listDeliveryAttempts: async (deliveryId) =>
      where('deliveryAttempts', { deliveryId }).sort((a, b) => a.number - b.number),
    listDeliveries: async (eventId) => where('deliveries', { eventId }),
    nextDeliveryAt: async () => earliest(where('deliveries', { state: 'pending' }), 'nextAttemptAt'),

    async deleteEvents(createdBefore, limit, after) {
      const { rows, next } = batchOf(where('events'), 'createdAt', (at) => at < createdBefore, limit, after);
      const isPending = (eventId: Rows['events']['id']) =>
        one('deliveries', { eventId, state: 'pending' }) !== null;
      const old = rows.filter(({ id, heldState }) => heldState === null && !isPending(id));
      removeDeliveries(old.flatMap(({ id }) => where('deliveries', { eventId: id })));
      return { changed: remove('events', old), next };
    },
    async deleteDeliveries(settledBefore, limit, after) {
      const settled = where('deliveries').filter(({ state }) => state !== 'pending');
      const { rows, next } = batchOf(settled, 'settledAt', (at) => at < settledBefore, limit, after);
      return { changed: removeDeliveries(rows), next };
    },
    async deleteExpiredCheckouts(expiredBefore, limit, after) {
      const expired = where('subscriptions', { status: 'expired' });
      const { rows, next } = batchOf(expired, 'lastEventAt', (at) => at < expiredBefore, limit, after);
      const isNamed = ({ id: subscriptionId }: Subscription) =>
        (['events', 'transfers', 'attempts', 'signedTerms'] as const).some(
          (name) => one(name, { subscriptionId }) !== null,
        ) || one('subscriptions', { previousId: subscriptionId }) !== null;
      return {
        changed: remove(
          'subscriptions',
          rows.filter((row) => !isNamed(row)),
        ),
        next,
      };
    },
  };
}

type AttemptCursor = Pick<UnpricedAttempt, 'id' | 'attemptedAt'>;

function follows(row: AttemptCursor, cursor: AttemptCursor): boolean {
  const later = row.attemptedAt.getTime() - cursor.attemptedAt.getTime();
  return later > 0 || (later === 0 && row.id > cursor.id);
}

function putInto<Row extends Rows[Name]>(table: Map<string, Row>, rows: readonly Row[]): void {
  for (const row of rows) table.set(idOf(row), row);
}

function insertInto<Row extends Rows[Name]>(table: Map<string, Row>, rows: readonly Row[]): void {
  for (const row of rows) {
    if (table.has(idOf(row))) throw new Conflict('id');
    table.set(idOf(row), row);
  }
}

/**
 * The fields of a checkout that the customer opened itself. Anyone can open a checkout for any wallet and email. So a
 * checkout with an external id belongs to that external id alone, and one with an email but no external id to that email.
 */
function ownCheckout({ by, value }: Customer): Partial<Subscription> {
  if (by === 'external_id') return { externalId: value };
  return by === 'email'
    ? { externalId: null, email: value }
    : { externalId: null, email: null, wallet: value };
}

function isRunning({ status }: Pick<Subscription, 'status'>): boolean {
  return ['active', 'unpaid', 'cancelled'].includes(status);
}

/** The page after the cursor's place in the list, which rows written meanwhile do not move. */
function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit, startingAfter }: PageRequest<Row['id']>,
): Page<Row> | 'unknown_cursor' {
  const cursor = rows.findIndex(({ id }) => id === startingAfter);
  if (startingAfter !== null && cursor === -1) return 'unknown_cursor';
  const rest = rows.slice(cursor + 1);
  return { data: rest.slice(0, limit), hasMore: rest.length > limit };
}

type Timed<Field extends string> = { readonly [F in Field]: Date | null };

/** The rows whose instant is at or before `now`, soonest first. */
function due<Field extends string, Row extends Timed<Field>>(rows: readonly Row[], field: Field, now: Date) {
  const timeOf = (row: Row) => row[field]?.getTime() ?? Infinity;
  return rows.filter((row) => timeOf(row) <= now.getTime()).sort((a, b) => timeOf(a) - timeOf(b));
}

function earliest<Field extends string>(rows: readonly Timed<Field>[], field: Field): Date | null {
  const instants = rows.map((row) => row[field]).filter((at) => at !== null);
  return instants.sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/** The rows that a batch looks at, those whose instant is of the wanted ones, and where the next batch begins. */
function batchOf<Field extends string, Row extends Timed<Field> & { readonly id: string }>(
  all: readonly Row[],
  field: Field,
  isWanted: (at: Date) => boolean,
  limit: number,
  after: BatchCursor | null,
) {
  const batch = all
    .flatMap((row) => (row[field] === null ? [] : [{ row, id: row.id, at: row[field] }]))
    .filter(({ at }) => isWanted(at))
    .filter((one) => after === null || isLater(one, after))
    .sort((a, b) => (isLater(a, b) ? 1 : -1))
    .slice(0, limit);
  const last = batch.length === limit ? batch.at(-1) : undefined;
  return {
    rows: batch.map(({ row }) => row),
    next: last === undefined ? null : { at: last.at, id: last.id },
  };
}

const wasUsedBefore =
  (at: Date) =>
  ({ lastUsedAt }: { readonly lastUsedAt: Date | null }): boolean =>
    lastUsedAt === null || lastUsedAt < at;

const isBehind = (one: HeldEventCursor, other: HeldEventCursor): boolean =>
  one.subscriptionId > other.subscriptionId ||
  (one.subscriptionId === other.subscriptionId && one.sequence > other.sequence);

const isLater = (one: BatchCursor, other: BatchCursor): boolean =>
  one.at > other.at || (one.at.getTime() === other.at.getTime() && one.id > other.id);

/** The soonest of each project, so that the many of one do not hold up the few of another. */
function sharedBetweenProjects(soonestFirst: readonly Subscription[], limit: number): Subscription[] {
  const taken = new Map(soonestFirst.map(({ projectId }) => [projectId, 0]));
  const share = Math.ceil(limit / taken.size);
  const isInShare = ({ projectId }: Subscription) => {
    const place = (taken.get(projectId) ?? 0) + 1;
    taken.set(projectId, place);
    return place <= share;
  };
  return soonestFirst.filter(isInShare).slice(0, limit);
}
