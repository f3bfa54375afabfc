import { startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll } from 'vitest';
import { describeEarlierSchemas } from './describe-earlier-schemas.js';
import { emptyPostgres } from './empty-postgres.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

describeEarlierSchemas('Postgres', () => emptyPostgres(server.url));
