import { Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Database } from '../kysely/index.js';
import { postgresDialect } from '../postgres-engine.js';
import { PostgresDriver } from './driver.js';
import type { PostgresOptions } from './pool.js';
import { asRefusal } from './refused.js';

/**
 * Opens a database over a pool, and makes the first connection, so that what was opened works.
 *
 * @throws PostgresRefusal when the server cannot be reached, or does not let this user into this database
 */
export async function connect(
  pool: Pool,
  { url, preparedStatements = true }: PostgresOptions,
): Promise<{ readonly db: Kysely<Database>; readonly close: () => Promise<void> }> {
  const driver = new PostgresDriver(pool, preparedStatements);
  const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await driver.destroy();
    throw asRefusal(error, url);
  }
  return { db, close: () => driver.destroy() };
}
