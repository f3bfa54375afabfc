import { emptyDatabase, openNetwork, type EmptyDatabase } from '@subrail/test-postgres';
import pg from 'pg';
import { afterEach, beforeEach, inject } from 'vitest';
import { openPostgresStore, type PostgresOptions } from '../index.js';

/** Gives each test of a describe an empty database, and closes at its end what the test opened. */
export function useDatabase() {
  let database: EmptyDatabase;
  let closing: (() => Promise<unknown>)[];
  beforeEach(async () => {
    closing = [];
    database = await emptyDatabase(inject('postgres'));
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
    await database.drop();
  });
  const closeLater = (close: () => Promise<unknown>) => void closing.push(close);
  const url = () => database.url;
  return {
    url,
    closeLater,
    open: async (options: Partial<PostgresOptions> = {}) => {
      const opened = await openPostgresStore({ url: url(), ...options });
      closeLater(opened.close);
      return opened.store;
    },
    /** A connection of its own, as an operator has. */
    operator: async (config: pg.ClientConfig = {}) => {
      const client = new pg.Client({ connectionString: url(), ...config });
      await client.connect();
      closeLater(() => client.end());
      return client;
    },
    network: async () => {
      const opened = await openNetwork(url());
      closeLater(opened.close);
      return opened;
    },
  };
}
