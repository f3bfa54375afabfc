// Heavy: records are moved in each direction, and moves are interrupted again and again.

import { startPostgres, type PostgresServer } from '@subrail/test-postgres';
import { afterAll, beforeAll } from 'vitest';
import { describeInterruptions, describeMoves } from './describe-moves.js';
import { sqlitePlace } from './place.js';
import { postgresPlace } from './postgres-place.js';

let older: PostgresServer;
let newer: PostgresServer;
beforeAll(async () => {
  [older, newer] = await Promise.all([startPostgres('15'), startPostgres('18')]);
});
afterAll(() => Promise.all([older.remove(), newer.remove()]));

const onOlder = () => postgresPlace(older.url);
const onNewer = () => postgresPlace(newer.url);

describeMoves('moving records from PostgreSQL 15 to PostgreSQL 18', { from: onOlder, to: onNewer });
describeMoves('moving records from PostgreSQL 18 to SQLite', { from: onNewer, to: sqlitePlace });

// The statements of a move are the same on every version of the server, so one of them is interrupted after each.
// Seven has no factor in common with the statements of a batch, so that each of them is met.
const manyBatches = { subscriptions: 700, every: 7 };
describeInterruptions('from SQLite to SQLite', { from: sqlitePlace, to: sqlitePlace }, manyBatches);
describeInterruptions('from SQLite to Postgres', { from: sqlitePlace, to: onNewer }, manyBatches);
