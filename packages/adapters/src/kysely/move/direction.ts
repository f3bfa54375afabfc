import type { SqlDialect } from '../migrations/for-engine.js';
import { MoveRefused } from './claim.js';

const ANOTHER_FILE =
  'To have them in another SQLite file, stop every host, copy them with "subrail backup", and use only the copy from then on.';
const ANOTHER_SERVER =
  'To have them in another PostgreSQL database, stop every host, copy them with pg_dump and pg_restore or by logical replication, and use only the copy from then on.';
const BACK_TO_A_FILE = 'What is on PostgreSQL stays there: go on with that database.';

/**
 * The refusal of a move that is not from SQLite to PostgreSQL, with what to do instead.
 *
 * @example
 * throw moveRefusal('postgres', 'postgres');
 */
export function moveRefusal(from: SqlDialect, to: SqlDialect): MoveRefused {
  const fromPostgres = to === 'postgres' ? ANOTHER_SERVER : BACK_TO_A_FILE;
  return new MoveRefused(
    `Records move from SQLite to PostgreSQL only. ${from === 'sqlite' ? ANOTHER_FILE : fromPostgres}`,
  );
}
