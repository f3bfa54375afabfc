import { aCommit, anEvent, aSubscription, MADE_AT } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { createKyselyStore, migrate, type Database } from '../../kysely/index.js';
import { SqliteDialect } from '../dialect.js';
import { sqliteTraits } from '../../kysely/engines/sqlite.js';
import { storedPlan } from '../../tests/stored-plan.js';

const after = (seconds: number) => new Date(MADE_AT.getTime() + seconds * 1_000);

test('a page of events is read once, also when it ends with what the list begins with', async () => {
  const dialect = new SqliteDialect(new SqliteFile(':memory:'), 0);
  const statements: string[] = [];
  const db = new Kysely<Database>({ dialect, log: ({ query }) => void statements.push(query.sql) });
  await migrate(db, sqliteTraits);
  const store = createKyselyStore(db, sqliteTraits);
  const { project, plan } = await storedPlan(store);
  for (let second = 1; second <= 20; second++) {
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    const of = { projectId: project.id, subscriptionId: subscription.id };
    const event = anEvent({ ...of, createdAt: after(second) });
    await store.commit([aCommit(subscription, { events: [event] })]);
  }
  const reads = async (since: Date, limit: number) => {
    statements.length = 0;
    const everything = { type: null, subscriptionId: null };
    const page = await store.listEvents(project.id, since, everything, { limit, startingAfter: null });
    if (page === 'unknown_cursor') throw new Error('There is no cursor.');
    return { listed: page.data.length, hasMore: page.hasMore, statements: statements.length };
  };
  expect(await reads(after(0), 5)).toEqual({ listed: 5, hasMore: true, statements: 1 });
  expect(await reads(after(18), 5)).toEqual({ listed: 3, hasMore: false, statements: 1 });
  expect(await reads(after(0), 30)).toEqual({ listed: 20, hasMore: false, statements: 1 });
  await dialect.close();
});
