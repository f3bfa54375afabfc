import type { SubscriptionFilter } from '@subrail/core/ports';
import { aCommit, aSubscription } from '@subrail/core/testing';
import { Kysely, type KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { createKyselyStore, type Database } from '../../kysely/index.js';
import { SqliteDialect } from '../dialect.js';
import { sqliteTraits } from '../../kysely/engines/sqlite.js';
import { openFile } from '../file.js';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';
import { storedPlan } from '../../tests/stored-plan.js';

const NOW = new Date('2027-01-01T00:00:00.000Z');

// management#search-by-what-is-shown
test('a subscription that a worker ends after any statement of a search for ended ones is found', async () => {
  const { path, remove } = scratchFile();
  const worker = await openSqliteStore({ path });
  const { project, plan } = await storedPlan(worker.store);
  const cancelled = aSubscription({
    projectId: project.id,
    planId: plan.id,
    status: 'cancelled',
    cancellation: { confirmedAt: NOW, expiresAt: NOW, behind: false, lapse: null },
  });
  await worker.store.commit([aCommit(cancelled)]);

  let statements = 0;
  const afterTheFirst: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      if (statements === 1)
        await worker.store.commit([aCommit({ ...cancelled, status: 'ended', version: 2 })]);
      return result;
    },
  };
  const dialect = new SqliteDialect(await openFile(path, 5_000), 5_000);
  const db = new Kysely<Database>({ dialect, plugins: [afterTheFirst] });
  const filter: SubscriptionFilter = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null },
    ...{ planId: null, late: null, blocked: null, failing: null, ending: null },
    status: 'ended',
  };
  const found = await createKyselyStore(db, sqliteTraits).searchSubscriptions(project.id, filter, NOW, {
    limit: 10,
    startingAfter: null,
  });
  expect(found).toMatchObject({ found: [{ subscription: { id: cancelled.id, status: 'ended' } }] });
  await dialect.close();
  await worker.close();
  remove();
});
