import type {
  Act,
  ApiKey,
  Attempt,
  ChainIdentity,
  Delivery,
  DeliveryAttempt,
  Endpoint,
  EndpointId,
  ManagementKey,
  Plan,
  Project,
  SignedTerms,
  Subscription,
  SubscriptionEvent,
  Transfer,
} from '@subrail/core/ports';

/** Until when a sender holds an endpoint. */
interface Lease {
  readonly id: EndpointId;
  readonly until: Date;
}

/** The type of the rows of each table. */
export interface Rows {
  chain: ChainIdentity;
  projects: Project;
  apiKeys: ApiKey;
  managementKeys: ManagementKey;
  acts: Act;
  plans: Plan;
  subscriptions: Subscription;
  transfers: Transfer;
  attempts: Attempt;
  signedTerms: SignedTerms;
  events: SubscriptionEvent;
  endpoints: Endpoint;
  leases: Lease;
  deliveries: Delivery;
  deliveryAttempts: DeliveryAttempt;
}

/** Every row by its id, table by table. A change makes a copy of the tables; rows themselves never change. */
export type Tables = { readonly [Name in keyof Rows]: Map<string, Rows[Name]> };

type Row = Rows[keyof Rows];

export const noRows = (): Tables => ({
  chain: new Map(),
  projects: new Map(),
  apiKeys: new Map(),
  managementKeys: new Map(),
  acts: new Map(),
  plans: new Map(),
  subscriptions: new Map(),
  transfers: new Map(),
  attempts: new Map(),
  signedTerms: new Map(),
  events: new Map(),
  endpoints: new Map(),
  leases: new Map(),
  deliveries: new Map(),
  deliveryAttempts: new Map(),
});

/** A copy whose tables can be changed without changing the given ones. */
export function copyOf(tables: Tables): Tables {
  const copies = Object.entries(tables).map(([name, rows]) => [name, new Map<string, unknown>(rows)]);
  return Object.fromEntries(copies) as Tables;
}

/** The id of a row in its table. Signed terms have none of their own, and their subscription has a signature once. */
export function idOf(row: Row): string {
  // A store has one chain.
  if ('genesisHash' in row) return 'chain';
  if ('durationMs' in row) return `${row.deliveryId} ${row.number}`;
  return 'id' in row ? row.id : `${row.subscriptionId} ${row.signature}`;
}

/** The order of every list. Ids decide within one instant, so that pages neither repeat nor skip a row. */
export const newestFirst = (a: Row, b: Row): number => madeAt(b) - madeAt(a) || (idOf(a) < idOf(b) ? 1 : -1);

function madeAt(row: Row): number {
  if ('genesisHash' in row) return 0;
  if ('attemptedAt' in row) return row.attemptedAt.getTime();
  if ('startedAt' in row) return row.startedAt.getTime();
  if ('until' in row) return row.until.getTime();
  return ('signedAt' in row ? row.signedAt : row.createdAt).getTime();
}

/** A rule of uniqueness: no two rows of its table have the same value. A row with false is left out. */
type Rule<Row> = (row: Row) => false | readonly unknown[];

/** Every rule that the port wants enforced, by the name under which `brokenRule` reports it. */
const RULES: { readonly [Name in keyof Rows]?: Readonly<Record<string, Rule<Rows[Name]>>> } = {
  apiKeys: { hash: ({ hash }) => [hash] },
  managementKeys: { hash: ({ hash }) => [hash] },
  plans: {
    name: ({ status, projectId, name }) => status !== 'failed' && [projectId, name],
    slug: ({ status, projectId, slug }) => status !== 'failed' && [projectId, slug],
  },
  subscriptions: {
    running: ({ status, planId, wallet }) => (status === 'active' || status === 'unpaid') && [planId, wallet],
    pending: ({ status, planId, wallet, externalId, email }) =>
      status === 'pending' && [planId, wallet, externalId, externalId === null ? email : null],
  },
  transfers: {
    signature: ({ signature, paymentIndex }) => [signature, paymentIndex],
    open: ({ state, subscriptionId }) => state === 'open' && [subscriptionId],
    landed: ({ state, subscriptionId, periodStart }) => state === 'landed' && [subscriptionId, periodStart],
  },
  attempts: {
    paid: ({ outcome, subscriptionId, periodStart }) =>
      outcome === 'paid' && periodStart !== null && [subscriptionId, periodStart],
  },
  events: { sequence: ({ subscriptionId, sequence }) => [subscriptionId, sequence] },
  endpoints: { url: ({ projectId, url, deletedAt }) => deletedAt === null && [projectId, url] },
  deliveries: { target: ({ eventId, endpointId }) => eventId !== null && [eventId, endpointId] },
};

/** The name of a rule that the rows of some table break, or null. */
export function brokenRule(tables: Tables): string | null {
  for (const [table, rules] of Object.entries(RULES))
    for (const [name, rule] of Object.entries(rules as Record<string, Rule<unknown>>)) {
      const rows = [...tables[table as keyof Rows].values()];
      const values = rows.map(rule).filter((value) => value !== false);
      if (new Set(values.map((value) => JSON.stringify(value))).size < values.length) return name;
    }
  return null;
}
