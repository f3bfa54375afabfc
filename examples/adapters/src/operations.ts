import type { Customer, Page, PageRequest, StoreOperations, Subscription } from '@subrail/core/ports';
import { brokenRule, copyOf, type Rows, type Tables } from './tables.js';

/** Undoes a change: a row or a version is not what the caller expects. */
class Conflict extends Error {
  constructor(readonly rule: string) {
    super(`The change was not made: another row has the same ${rule}.`);
  }
}

/** Every operation of the port, on the tables of `draft`. None of them waits, so no two ever interleave. */
export function operationsOn(draft: { tables: Tables }): StoreOperations {
  const all = <Name extends keyof Rows>(name: Name) =>
    [...draft.tables[name].values()] as readonly Rows[Name][];
  const get = <Name extends keyof Rows>(name: Name, id: string): Rows[Name] | null =>
    draft.tables[name].get(id) ?? null;

  /** Changes a copy of the tables. Keeps it and returns null, or drops it and returns the rule that it breaks. */
  const change = (work: (tables: Tables) => void): string | null => {
    const next = copyOf(draft.tables);
    try {
      work(next);
    } catch (error) {
      if (error instanceof Conflict) return error.rule;
      throw error;
    }
    const broken = brokenRule(next);
    if (broken === null) draft.tables = next;
    return broken;
  };
  const mustChange = (work: (tables: Tables) => void): void => {
    const broken = change(work);
    if (broken !== null) throw new Conflict(broken);
  };
  const replace = <Name extends 'plans' | 'endpoints'>(name: Name, row: Rows[Name]) =>
    change((next) => {
      if (next[name].get(row.id)?.version !== row.version - 1) throw new Conflict('version');
      (next[name] as Map<string, Rows[Name]>).set(row.id, row);
    }) === null
      ? 'updated'
      : 'lost';
  const withPlan = (subscription: Subscription) => {
    const plan = get('plans', subscription.planId);
    if (plan === null) throw new Error(`The plan of subscription ${subscription.id} is missing.`);
    return { subscription, plan };
  };
  const ofCustomer = (projectId: string, customer: Customer) =>
    all('subscriptions')
      .filter((row) => row.projectId === projectId && fieldOf(row, customer) === customer.value)
      .sort(newestFirst);

  return {
    async claimChainIdentity(identity) {
      const stored = get('chain', 'chain');
      if (stored === null) change((next) => next.chain.set('chain', identity));
      return stored ?? identity;
    },
    insertProject: async (row) => mustChange((next) => insert(next.projects, row.id, row)),
    findProject: async (id) => get('projects', id),
    listProjects: async () => [...all('projects')].sort(newestFirst),
    insertApiKey: async (row) => mustChange((next) => insert(next.apiKeys, row.id, row)),
    async findApiKey(hash) {
      const key = all('apiKeys').find((row) => row.hash === hash && row.revokedAt === null);
      const project = key && get('projects', key.projectId);
      return key && project ? { key, project } : null;
    },
    async touchApiKey(id, at) {
      const key = get('apiKeys', id);
      if (key !== null && (key.lastUsedAt === null || key.lastUsedAt < at))
        change((next) => next.apiKeys.set(id, { ...key, lastUsedAt: at }));
    },
    async revokeApiKey(id, at) {
      const key = get('apiKeys', id);
      if (key?.revokedAt === null) change((next) => next.apiKeys.set(id, { ...key, revokedAt: at }));
    },

    async insertPlan(row) {
      const broken = change((next) => insert(next.plans, row.id, row));
      if (broken === null) return 'inserted';
      if (broken === 'name' || broken === 'slug') return broken;
      throw new Conflict(broken);
    },
    updatePlan: async (row) => replace('plans', row),
    findPlan: async (id) => get('plans', id),
    findPlanBySlug: async (projectId, slug) =>
      all('plans').find(
        (row) => row.projectId === projectId && row.slug === slug && row.status !== 'failed',
      ) ?? null,
    listPublishedPlans: async (projectId) =>
      all('plans')
        .filter((row) => row.projectId === projectId && ['active', 'sunset'].includes(row.status))
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),

    findSubscription: async (projectId, id) => ownedBy(projectId, get('subscriptions', id)),
    listByWalletAndPlan: async (planId, wallet) =>
      all('subscriptions')
        .filter((row) => row.planId === planId && row.wallet === wallet && row.status !== 'expired')
        .sort(newestFirst),
    async listByCustomer(projectId, customer, planId, request) {
      const rows = ofCustomer(projectId, customer).filter(({ status }) => status !== 'superseded');
      const page = pageOf(
        rows.filter((row) => planId === null || row.planId === planId),
        request,
      );
      return page === 'unknown_cursor' ? page : { ...page, data: page.data.map(withPlan) };
    },
    listForAccess: async (projectId, customer, slug) =>
      ofCustomer(projectId, customer)
        .filter(({ status }) => status !== 'expired')
        .map(withPlan)
        .filter(({ plan }) => slug === null || plan.slug === slug),
    async countPending(projectId, customer) {
      const count = (rows: readonly Subscription[]) => {
        const pending = rows.filter(({ status }) => status === 'pending');
        return {
          count: pending.length,
          oldestExpiresAt: earliest(pending.map((row) => row.checkoutExpiresAt)),
        };
      };
      const ofProject = all('subscriptions').filter((row) => row.projectId === projectId);
      // A checkout that names an external id is nobody else's, whatever its email and wallet; likewise one with an email.
      const own = ofCustomer(projectId, customer).filter(
        ({ externalId, email }) =>
          customer.by === 'external_id' ||
          (externalId === null && (customer.by === 'email' || email === null)),
      );
      return { project: count(ofProject), customer: count(own) };
    },
    async countOtherSeats(projectId, wallet, now) {
      const holds = ({ status, cancellation }: Subscription) =>
        status === 'cancelled'
          ? cancellation !== null && cancellation.expiresAt > now
          : status === 'active' || status === 'unpaid';
      const others = all('subscriptions').filter(
        (row) => row.projectId === projectId && row.wallet !== wallet && row.pausedAt === null && holds(row),
      );
      return new Set(others.map((row) => row.wallet)).size;
    },

    commit: async (changes) =>
      change((next) => {
        for (const { subscription, attempts, transfers, events, deliveries, signedTerms } of changes) {
          const { id, version } = subscription;
          if ((next.subscriptions.get(id)?.version ?? 0) !== version - 1) throw new Conflict('version');
          next.subscriptions.set(id, subscription);
          for (const row of transfers) next.transfers.set(row.id, row);
          for (const row of attempts) insert(next.attempts, row.id, row);
          for (const row of events) insert(next.events, row.id, row);
          for (const row of deliveries) insert(next.deliveries, row.id, row);
          if (signedTerms !== null) insert(next.signedTerms, `${id} ${signedTerms.signature}`, signedTerms);
        }
      }) === null
        ? 'committed'
        : 'lost',
    async claimDue(now, limit, leaseMs) {
      const wakeAt = new Date(now.getTime() + leaseMs);
      const claimed = due(all('subscriptions'), (row) => row.wakeAt, now)
        .slice(0, limit)
        .map((row) => ({ ...row, wakeAt, version: row.version + 1 }));
      if (claimed.length > 0) change((next) => claimed.forEach((row) => next.subscriptions.set(row.id, row)));
      return claimed.map((row) => {
        const project = get('projects', row.projectId);
        if (project === null) throw new Error(`The project of subscription ${row.id} is missing.`);
        const isOpen = (transfer: Rows['transfers']) =>
          transfer.subscriptionId === row.id && transfer.state === 'open';
        return { ...withPlan(row), project, transfer: all('transfers').find(isOpen) ?? null };
      });
    },
    nextWakeAt: async () => earliest(all('subscriptions').map((row) => row.wakeAt)),

    findOpenTransfer: async (id) =>
      all('transfers').find((row) => row.subscriptionId === id && row.state === 'open') ?? null,
    findTransferBySignature: async (signature) =>
      all('transfers').find((row) => row.signature === signature) ?? null,
    listTransfers: async (id) =>
      all('transfers')
        .filter((row) => row.subscriptionId === id)
        .sort(newestFirst),
    findSignedTerms: async (id) =>
      all('signedTerms')
        .filter((row) => row.subscriptionId === id)
        .sort((a, b) => b.signedAt.getTime() - a.signedAt.getTime())[0] ?? null,
    async listAttempts(id, request) {
      const rows = all('attempts').filter((row) => row.subscriptionId === id);
      const dated = rows.map((row) => ({ id: row.id, createdAt: row.attemptedAt, row })).sort(newestFirst);
      return pageOf(
        dated.map(({ row }) => row),
        request,
      );
    },
    findPaidAttempt: async (id, start) =>
      all('attempts').find(
        (row) =>
          row.subscriptionId === id &&
          row.outcome === 'paid' &&
          row.periodStart?.getTime() === start.getTime(),
      ) ?? null,

    findEvent: async (projectId, id) => ownedBy(projectId, get('events', id)),
    async listEvents(projectId, since, { type, subscriptionId }, request) {
      const rows = all('events').filter(
        (row) =>
          row.projectId === projectId &&
          row.createdAt >= since &&
          (type === null || row.type === type) &&
          (subscriptionId === null || row.subscriptionId === subscriptionId),
      );
      return pageOf([...rows].sort(newestFirst), request);
    },
    async saveBodyIfAbsent(id, body) {
      const event = get('events', id);
      if (event === null) throw new Error(`There is no event ${id}.`);
      if (event.body === null) change((next) => next.events.set(id, { ...event, body }));
      return event.body ?? body;
    },

    async insertEndpoint(row) {
      const broken = change((next) => insert(next.endpoints, row.id, row));
      if (broken === 'id') throw new Conflict(broken);
      return broken === null ? 'inserted' : 'taken';
    },
    updateEndpoint: async (row) => replace('endpoints', row),
    listEndpoints: async (projectId) =>
      all('endpoints')
        .filter((row) => row.projectId === projectId)
        .sort(newestFirst),
    listNewestEndpoints: async (limit) => all('endpoints').toSorted(newestFirst).slice(0, limit),
    findEndpoint: async (projectId, id) => ownedBy(projectId, get('endpoints', id)),
    async claimDeliveries(now, limit, perEndpoint, leaseMs) {
      const nextAttemptAt = new Date(now.getTime() + leaseMs);
      const counts = new Map<string, number>();
      const pending = all('deliveries').filter(({ state }) => state === 'pending');
      const claimed = due(pending, (row) => row.nextAttemptAt, now)
        .filter(({ endpointId }) => {
          counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
          return (counts.get(endpointId) ?? 0) <= perEndpoint;
        })
        .slice(0, limit)
        .map((row) => ({ ...row, nextAttemptAt }));
      if (claimed.length > 0) change((next) => claimed.forEach((row) => next.deliveries.set(row.id, row)));
      return claimed.map((delivery) => {
        const [event, endpoint] = [get('events', delivery.eventId), get('endpoints', delivery.endpointId)];
        if (event === null || endpoint === null)
          throw new Error(`The event or the endpoint of delivery ${delivery.id} is missing.`);
        return { delivery, event, endpoint };
      });
    },
    async settleDelivery(row) {
      const stored = get('deliveries', row.id);
      if (stored?.state !== 'pending' || stored.attempts !== row.attempts - 1) return 'lost';
      change((next) => next.deliveries.set(row.id, row));
      return 'settled';
    },
    async failDeliveries(endpointId, at) {
      const pending = all('deliveries').filter(
        (row) => row.endpointId === endpointId && row.state === 'pending',
      );
      const failed = { state: 'failed', nextAttemptAt: null, settledAt: at } as const;
      change((next) => pending.forEach((row) => next.deliveries.set(row.id, { ...row, ...failed })));
    },
    listDeliveries: async (eventId) =>
      all('deliveries')
        .filter((row) => row.eventId === eventId)
        .sort(newestFirst),
    nextDeliveryAt: async () =>
      earliest(
        all('deliveries')
          .filter(({ state }) => state === 'pending')
          .map((row) => row.nextAttemptAt),
      ),
  };
}

function insert<Row>(table: Map<string, Row>, id: string, row: Row): void {
  if (table.has(id)) throw new Conflict('id');
  table.set(id, row);
}

const ownedBy = <Row extends { readonly projectId: string }>(projectId: string, row: Row | null) =>
  row?.projectId === projectId ? row : null;

function fieldOf(row: Subscription, { by }: Customer): string | null {
  if (by === 'wallet') return row.wallet;
  return by === 'email' ? row.email : row.externalId;
}

interface Dated {
  readonly id: string;
  readonly createdAt: Date;
}

/** The order of every list. Ids decide within one instant, so that pages neither repeat nor skip a row. */
const newestFirst = (a: Dated, b: Dated): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);

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

/** The rows that are due at `now`, soonest first. */
function due<Row>(rows: readonly Row[], dueAt: (row: Row) => Date | null, now: Date): Row[] {
  const timeOf = (row: Row) => dueAt(row)?.getTime() ?? Infinity;
  return rows.filter((row) => timeOf(row) <= now.getTime()).sort((a, b) => timeOf(a) - timeOf(b));
}

const earliest = (instants: readonly (Date | null)[]): Date | null =>
  instants.filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null;
