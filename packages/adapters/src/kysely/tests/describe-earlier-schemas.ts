import {
  aCommit,
  aDelivery,
  aDeliveryAttempt,
  aManagementKey,
  anAct,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  aPlan,
  aProject,
  aSignature,
  aSubscription,
  aTransfer,
  MADE_AT,
} from '@subrail/core/testing';
import { sql, type Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Stored } from '../codec/codec.js';
import { createKyselyStore, migrate, type Database, type DialectTraits } from '../index.js';
import { MIGRATIONS } from '../migrations/index.js';
import { attemptTable, signedTermsTable, transferTable } from '../tables/charges.js';
import { chainIdentityTable } from '../tables/chain-identity.js';
import { actTable, managementKeyTable } from '../tables/management.js';
import { apiKeyTable, planTable, projectTable } from '../tables/projects.js';
import { subscriptionTable } from '../tables/subscriptions.js';
import { deliveryAttemptTable, deliveryTable, endpointTable, eventTable } from '../tables/webhooks.js';

/** An empty database of an engine. */
export interface EmptyDatabase {
  readonly db: Kysely<Database>;
  readonly traits: DialectTraits;
  readonly close: () => Promise<void>;
}

type Row = Readonly<Record<string, Stored>>;

const project = aProject();
const plan = aPlan({ projectId: project.id });
const key = anApiKey({ projectId: project.id });
const late = {
  periodStart: MADE_AT,
  graceUntil: MADE_AT,
  automatic: null,
  deadline: null,
  byHand: { count: 0, lastAt: null },
  queuedAt: null,
};
const subscription = aSubscription({
  ...{ projectId: project.id, planId: plan.id, externalId: 'customer', lastSequence: 1, late },
  lastEventAt: MADE_AT,
});
const transfer = aTransfer({ subscriptionId: subscription.id });
const attempt = anAttempt({ subscriptionId: subscription.id });
const event = anEvent({ projectId: project.id, subscriptionId: subscription.id });
const endpoint = anEndpoint({ projectId: project.id });
const delivery = aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id });
const deliveryAttempt = aDeliveryAttempt({ deliveryId: delivery.id });
const terms = {
  subscriptionId: subscription.id,
  message: 'I agree.',
  signature: aSignature(),
  envelope: null,
  signedAt: MADE_AT,
};

/** A row of each table as this release writes it, in the order of their foreign keys. Those of dates the database writes itself. */
const ROWS: Readonly<Record<Exclude<keyof Database, 'subscription_dates'>, Row>> = {
  chain_identity: chainIdentityTable.encode({
    genesisHash: 'genesis',
    network: 'devnet',
    charger: 'charger',
  }),
  projects: projectTable.encode(project),
  api_keys: apiKeyTable.encode(key),
  plans: planTable.encode(plan),
  subscriptions: subscriptionTable.encode(subscription),
  transfers: transferTable.encode(transfer),
  attempts: { ...attemptTable.encode(attempt), project_id: project.id, plan_id: plan.id },
  signed_terms: signedTermsTable.encode(terms),
  events: { ...eventTable.encode(event), position: 1 },
  event_positions: { project_id: project.id, last: 1 },
  endpoints: endpointTable.encode(endpoint),
  endpoint_leases: { endpoint_id: endpoint.id, until: 0 },
  deliveries: deliveryTable.encode(delivery),
  delivery_attempts: deliveryAttemptTable.encode(deliveryAttempt),
  management_keys: managementKeyTable.encode(aManagementKey()),
  acts: actTable.encode(anAct({ projectId: project.id })),
  rate_windows: { caller: 'key', started_at: 0, calls: 1 },
};

/** What a later migration made of a column, by the name that it has now. */
const RENAMED: Readonly<Record<string, string>> = {
  last_announced_access: 'access_announced',
  not_found_count: 'absent_looks',
  long_wait_recorded: 'wait_recorded',
};

/** Tests that a database of each schema that ever was becomes one of this release, with all its rows. */
export function describeEarlierSchemas(engine: string, open: () => Promise<EmptyDatabase>): void {
  describe(`a database on ${engine} that was made by an earlier schema`, () => {
    test.each(Object.keys(MIGRATIONS))(
      '%s keeps its rows, and the service goes on with them',
      async (last) => {
        const { db, traits, close } = await open();
        const filled = await makeEarlier(db, traits, last);
        await migrate(db, traits);
        await expectKept(db, traits, filled);
        await close();
      },
    );
  });
}

/** Rows of tables, by the names of these. */
export type Filled = readonly (readonly [string, Row])[];

/** Gives an empty database the schema whose last migration is named, and fills it. Returns its rows as this release is to find them. */
export async function makeEarlier(
  db: Kysely<Database>,
  traits: DialectTraits,
  last: string,
): Promise<Filled> {
  const earlier = Object.entries(MIGRATIONS).filter(([name]) => name <= last);
  await migrate(db, traits, Object.fromEntries(earlier));
  return fill(db, last);
}

/** Expects the rows in a database that was migrated to the schema of this release, and that the service goes on with them. */
export async function expectKept(db: Kysely<Database>, traits: DialectTraits, filled: Filled): Promise<void> {
  for (const [table, row] of filled) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db);
    expect(rows, table).toMatchObject([row]);
  }
  await expectService(db, traits);
}

/** Fills the tables that the schema has. */
async function fill(db: Kysely<Database>, last: string): Promise<Filled> {
  const tables = new Map(
    (await db.introspection.getTables()).map(({ name, columns }) => [name, columns.map(({ name }) => name)]),
  );
  const filled: (readonly [string, Row])[] = [];
  for (const [table, row] of Object.entries(ROWS)) {
    const columns = tables.get(table) ?? [];
    const nameThen = (column: string) => {
      const earlier = RENAMED[column];
      return earlier !== undefined && columns.includes(earlier) ? earlier : column;
    };
    const known = Object.entries(row).filter(([column]) => columns.includes(nameThen(column)));
    if (known.length === 0) continue;
    const values = known.map(([column, value]) => valueThen(last, column, value));
    await sql`insert into ${sql.table(table)} (${sql.join(known.map(([column]) => sql.ref(nameThen(column))))})
      values (${sql.join(values)})`.execute(db);
    filled.push([
      table,
      Object.fromEntries(known.map(([column, value]) => [column, valueNow(last, column, value)])),
    ]);
  }
  return filled;
}

/** What an earlier release wrote into a column. */
function valueThen(last: string, column: string, value: Stored): Stored {
  return column === 'late' && last < '0006' ? String(value).replace('"graceUntil"', '"rejectedAt"') : value;
}

/** What is in a column after the migrations that follow. */
function valueNow(last: string, column: string, value: Stored): Stored {
  // Whatever runs is read from the chain as soon as a worker runs.
  return column === 'wake_at' && last < '0008' ? 0 : value;
}

/** Reads every record through the store, and changes the subscription. */
async function expectService(db: Kysely<Database>, traits: DialectTraits): Promise<void> {
  const store = createKyselyStore(db, traits);
  expect(await store.findApiKey(key.hash)).toEqual({ key, project });
  expect(await store.findPlan(plan.id)).toMatchObject({ id: plan.id, amount: plan.amount });
  expect(await store.findOpenTransfer(subscription.id)).toEqual(transfer);
  expect(await store.findSignedTerms(subscription.id)).toEqual(terms);
  expect(await store.listAttempts(subscription.id, { limit: 9, startingAfter: null })).toMatchObject({
    data: [attempt],
  });
  expect(await store.findEndpoint(project.id, endpoint.id)).toEqual(endpoint);
  expect(await store.listDueDeliveries(endpoint.id, MADE_AT, 9)).toEqual({
    due: [{ delivery, event }],
    unreadable: [],
  });
  const { claimed } = await store.claimDue(new Date(MADE_AT.getTime() + 1e12), 9, 1000);
  expect(claimed).toMatchObject([
    { subscription: { id: subscription.id, late, version: 2 }, transfer: { id: transfer.id } },
  ]);
  const [first] = claimed;
  if (first === undefined) throw new Error('The subscription is due.');
  const next = anEvent({ projectId: project.id, subscriptionId: subscription.id, sequence: 2 });
  const changed = { ...first.subscription, version: 3, lastSequence: 2 };
  expect(await store.commit([aCommit(changed, { events: [next] })])).toBe('committed');
  const every = { type: null, subscriptionId: null };
  expect(
    await store.listEvents(project.id, new Date(0), every, { limit: 9, startingAfter: null }),
  ).toMatchObject({ data: [{ id: next.id }, { id: event.id }] });
}
