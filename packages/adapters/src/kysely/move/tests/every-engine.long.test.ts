import { startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll } from 'vitest';
import { describeInterruptions, describeMoves } from './describe-moves.js';
import { sqlitePlace } from './place.js';
import { postgresPlace } from './postgres-place.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

const onPostgres = () => postgresPlace(server.url);

describeMoves('moving records from Postgres to Postgres', { from: onPostgres, to: onPostgres });
describeMoves('moving records from Postgres to SQLite', { from: onPostgres, to: sqlitePlace });

// Seven has no factor in common with the statements of a batch, so that each of them is met.
const manyBatches = { subscriptions: 700, every: 7 };
describeInterruptions('from SQLite to SQLite', { from: sqlitePlace, to: sqlitePlace }, manyBatches);
describeInterruptions('from SQLite to Postgres', { from: sqlitePlace, to: onPostgres }, manyBatches);
