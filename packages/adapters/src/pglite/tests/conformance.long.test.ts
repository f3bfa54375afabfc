// Heavy: the whole kit of stores, on a PostgreSQL in WebAssembly.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { storeConformance } from '@subrail/core/testing';
import { EMPTY_TABLES } from '@subrail/test-postgres';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { rawPostgres, type Query } from '../../postgres/tests/raw-postgres.js';
import { openStoreOn } from '../open.js';

describe('the Store port on PGlite, which has one connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-pglite-'));
  let pglite: PGlite;
  let opened: Awaited<ReturnType<typeof openStoreOn>>;
  const open = async () => {
    pglite = await PGlite.create({ dataDir: join(folder, 'data'), relaxedDurability: false });
    opened = await openStoreOn(pglite);
  };
  const query: Query = async (sql, parameters) => (await pglite.query<object>(sql, [...parameters])).rows;

  beforeAll(open);
  afterAll(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  storeConformance(test, async () => ({
    store: opened.store,
    peer: opened.store,
    raw: rawPostgres(query),
    async reopen() {
      await opened.close();
      await open();
      return opened.store;
    },
    // Opening the database again takes longer than most tests, so one test after the other uses it.
    async close() {
      await pglite.exec(EMPTY_TABLES);
    },
  }));
});
