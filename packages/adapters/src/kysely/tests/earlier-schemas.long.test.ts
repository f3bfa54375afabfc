import { emptyDatabase, startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll } from 'vitest';
import { openMovablePostgres } from '../../postgres/index.js';
import { describeEarlierSchemas } from './describe-earlier-schemas.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

describeEarlierSchemas('Postgres', async () => {
  const database = await emptyDatabase(server.url);
  const { db, traits, close } = await openMovablePostgres({ url: database.url });
  return {
    db,
    traits,
    close: async () => {
      await close();
      await database.drop();
    },
  };
});
