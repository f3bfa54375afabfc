// Heavy: a PostgreSQL in WebAssembly is created for each test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../../kysely/index.js';
import { postgresDialect, postgresTraits } from '../../kysely/engines/postgres.js';
import { PgliteDriver } from '../driver.js';
import { openPgliteStore } from '../index.js';
import { openStoreOn } from '../open.js';

test('a folder that is opened again has what was stored, and a closed store is unavailable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-pglite-'));
  const dataDir = join(folder, 'data');
  const first = await openPgliteStore({ dataDir });
  const project = aProject();
  await first.store.insertProject(project);
  await first.close();
  await expect(first.store.listProjects()).rejects.toThrow(Unavailable);

  const second = await openPgliteStore({ dataDir });
  expect(await second.store.listProjects()).toEqual([project]);
  await second.close();
  rmSync(folder, { recursive: true });
});

test('a store in memory ends when it is closed', async () => {
  const first = await openPgliteStore({ dataDir: 'memory://' });
  await first.store.insertProject(aProject());
  await first.close();
  const second = await openPgliteStore({ dataDir: 'memory://' });
  expect(await second.store.listProjects()).toEqual([]);
  await second.close();
});

// invariants#one-payment-per-period
test('a database with another guard against a second charge is refused', async () => {
  const pglite = await PGlite.create({ dataDir: 'memory://' });
  await migrate(new Kysely({ dialect: postgresDialect(new PgliteDriver(pglite)) }), postgresTraits);
  await pglite.exec(`drop index attempts_paid;
    create unique index attempts_paid on attempts (period_start, subscription_id) where outcome = 'paid'`);
  await expect(openStoreOn(pglite)).rejects.toThrow(
    /: attempts_paid was changed\. Nothing was changed\. Stop every host/,
  );
});
