// Heavy: a database of each earlier schema is written and migrated, on two servers.

import { POSTGRES_MAJORS, startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeEarlierSchemas } from './describe-earlier-schemas.js';
import { emptyPostgres } from './empty-postgres.js';

describe.each(POSTGRES_MAJORS)('on PostgreSQL %s', (major) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(major);
  });
  afterAll(() => server.remove());

  describeEarlierSchemas(`PostgreSQL ${major}`, () => emptyPostgres(server.url));
});
