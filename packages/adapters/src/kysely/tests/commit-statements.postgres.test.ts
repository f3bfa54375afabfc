import { aCommit, aDelivery, anAttempt, anEndpoint, anEvent, aSubscription } from '@subrail/core/testing';
import { emptyDatabase } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import { Kysely, type Dialect } from 'kysely';
import { afterEach, expect, inject, test } from 'vitest';
import { postgresDialect, postgresTraits } from '../engines/postgres.js';
import { PostgresDriver } from '../../postgres/driver.js';
import { openPool } from '../../postgres/pool.js';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { createKyselyStore, migrate, type Database } from '../index.js';
import { storedPlan } from '../../tests/stored-plan.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const ENGINES = {
  SQLite: async () => ({ dialect: new SqliteDialect(new SqliteFile(':memory:'), 0), traits: sqliteTraits }),
  PostgreSQL: async () => {
    const database = await emptyDatabase(inject('postgres'));
    closing.push(() => database.drop());
    return {
      dialect: postgresDialect(new PostgresDriver(openPool({ url: database.url }), true)),
      traits: postgresTraits,
    };
  },
};

/** A store, and the statements that it runs. */
async function watchedStore(dialect: Dialect, traits: typeof postgresTraits) {
  const statements: string[] = [];
  const db = new Kysely<Database>({ dialect, log: ({ query }) => void statements.push(query.sql) });
  closing.push(() => db.destroy());
  await migrate(db, traits);
  return { store: createKyselyStore(db, traits), statements };
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'on %s the others wait for a commit over few statements, however many events and deliveries it has',
  async (engine) => {
    const { dialect, traits } = await ENGINES[engine]();
    const { store, statements } = await watchedStore(dialect, traits);
    const { project, plan } = await storedPlan(store);
    const endpoint = anEndpoint({ projectId: project.id });
    await store.insertEndpoint(endpoint);

    const afterCounter = async (count: number) => {
      const subscription = aSubscription({ projectId: project.id, planId: plan.id });
      const of = { projectId: project.id, subscriptionId: subscription.id };
      const events = Array.from({ length: count }, (_, place) => anEvent({ ...of, sequence: place + 1 }));
      const deliveries = events.map(({ id }) =>
        aDelivery({ projectId: project.id, eventId: id, endpointId: endpoint.id }),
      );
      statements.length = 0;
      expect(await store.commit([aCommit(subscription, { events, deliveries })])).toBe('committed');
      const counter = statements.findIndex((sql) => sql.includes('project_counters'));
      expect(counter).toBeGreaterThan(0);
      const listed = await store.listEvents(
        project.id,
        new Date(0),
        { type: null, subscriptionId: subscription.id },
        { limit: count, startingAfter: null },
      );
      expect(listed).toMatchObject({ data: events.toReversed().map(({ id }) => ({ id })), hasMore: false });
      return statements.slice(counter + 1).filter((sql) => sql.startsWith('insert')).length;
    };
    expect(await afterCounter(1)).toBe(2);
    expect(await afterCounter(64)).toBe(2);
    // 256, 32, 8, 4 of each.
    expect(await afterCounter(300)).toBe(8);
  },
);

test.each(['SQLite', 'PostgreSQL'] as const)(
  'on %s the receipts of a batch of charges are numbered by one statement, with that of their events',
  async (engine) => {
    const { dialect, traits } = await ENGINES[engine]();
    const { store, statements } = await watchedStore(dialect, traits);
    const { project, plan } = await storedPlan(store);
    const charges = Array.from({ length: 64 }, () => {
      const subscription = aSubscription({ projectId: project.id, planId: plan.id });
      const of = { projectId: project.id, subscriptionId: subscription.id };
      return aCommit(subscription, {
        attempts: [anAttempt({ subscriptionId: subscription.id })],
        events: [anEvent(of)],
      });
    });
    statements.length = 0;
    expect(await store.commit(charges)).toBe('committed');
    expect(statements.filter((sql) => sql.includes('project_counters'))).toHaveLength(1);
    const numbers = await Promise.all(
      charges.map(async ({ subscription: { id } }) => {
        const page = await store.listAttempts(id, { limit: 1, startingAfter: null });
        return page === 'unknown_cursor' ? null : page.data[0]?.receiptNumber;
      }),
    );
    expect(numbers).toEqual(charges.map((_, place) => place + 1));
  },
);
