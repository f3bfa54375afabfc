// Heavy: the whole kit of stores.

import { storeConformance } from '@subrail/core/testing';
import { emptyDatabase, emptyTables, type EmptyDatabase } from '@subrail/test-postgres';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { openPostgresStore } from '../index.js';
import { openPool } from '../pool.js';
import { rawPostgres, type Query } from './raw-postgres.js';

describe('the Store port on PostgreSQL, with two pools of connections', () => {
  let database: EmptyDatabase;
  let reader: ReturnType<typeof openPool>;
  const query: Query = async (sql, parameters) => (await reader.query<object>(sql, [...parameters])).rows;
  const opened = new Set<Awaited<ReturnType<typeof open>>>();
  const open = () => openPostgresStore({ url: database.url });
  const disconnect = async () => {
    await Promise.all([...opened].map(({ close }) => close()));
    opened.clear();
  };

  beforeAll(async () => {
    database = await emptyDatabase(inject('postgres'));
    reader = openPool({ url: database.url });
  });
  afterAll(async () => {
    await disconnect();
    await reader.end();
    await database.drop();
  });

  storeConformance(test, async () => {
    // The connections of one test serve the next: opening them takes longer than most tests.
    for (let missing = 2 - opened.size; missing > 0; missing--) opened.add(await open());
    const [first, second] = [...opened];
    if (first === undefined || second === undefined) throw new Error('Two stores were opened.');
    return {
      store: first.store,
      peer: second.store,
      raw: rawPostgres(query),
      async reopen() {
        await disconnect();
        const again = await open();
        opened.add(again);
        return again.store;
      },
      close: () => emptyTables(database.url),
    };
  });
});
