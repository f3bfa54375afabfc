import { inject } from 'vitest';
import { describeMoves } from './describe-moves.js';
import { sqlitePlace } from './place.js';
import { postgresPlace } from './postgres-place.js';

describeMoves('moving records from SQLite to Postgres', {
  from: sqlitePlace,
  to: () => postgresPlace(inject('postgres')['18']),
});
