// Heavy: several engines are opened and closed, one of them in WebAssembly.

import { Unavailable } from '@subrail/core/ports';
import { aCommit, anEvent, aSubscription, MADE_AT } from '@subrail/core/testing';
import { emptyDatabase, type EmptyDatabase } from '@subrail/test-postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPgliteStore } from '../pglite/index.js';
import { openPostgresStore } from '../postgres/index.js';
import { openSqliteStore } from '../sqlite/index.js';
import { storedPlan } from './stored-plan.js';

let database: EmptyDatabase;
beforeAll(async () => {
  database = await emptyDatabase(inject('postgres'));
});
afterAll(() => database.drop());

describe.each([
  ['SQLite', () => openSqliteStore({ path: ':memory:' })],
  ['Postgres', () => openPostgresStore({ url: database.url })],
  ['PGlite', () => openPgliteStore({ dataDir: 'memory://' })],
])('the store on %s that is closed', (_, open) => {
  test('ends the operations that were called before, and refuses later ones', async () => {
    const { store, close } = await open();
    const { project, plan } = await storedPlan(store);
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    const ids = { projectId: project.id, subscriptionId: subscription.id };
    const events = [anEvent({ ...ids, sequence: 1 }), anEvent({ ...ids, sequence: 2 })];
    await store.commit([aCommit(subscription, { events })]);

    // A page after an event reads that event first.
    const after = { limit: 20, startingAfter: events[1]?.id ?? null };
    const pages = Promise.all(
      Array.from({ length: 20 }, () =>
        store.listEvents(project.id, MADE_AT, { type: null, subscriptionId: null }, after),
      ),
    );
    const closed = close();
    await expect(store.listProjects()).rejects.toThrow(Unavailable);
    for (const page of await pages) expect(page).toMatchObject({ data: [events[0]] });
    await closed;
    expect(close()).toBe(closed);
    // PGlite takes long to start on a busy machine.
  });
});
