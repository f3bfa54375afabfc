import { Kysely, sql } from 'kysely';
import type { Database } from '../kysely/index.js';
import { postgresDialect } from '../kysely/engines/postgres.js';
import { PostgresDriver } from './driver.js';
import { optionsOfAddress } from './address/parameters.js';
import { NO_STARTUP_SETTINGS, type PostgresOptions } from './pool.js';
import { asRefusal } from './refused.js';
import type { ServersPool } from './servers.js';

/**
 * Opens a database over a pool, with a first connection as the proof.
 *
 * @throws PostgresRefusal when the server does not let this user into this database
 * @throws Unavailable when no server can be reached
 */
export async function connect(
  pool: ServersPool,
  { url, preparedStatements = optionsOfAddress(url).preparedStatements ?? true, report }: PostgresOptions,
): Promise<{ readonly db: Kysely<Database>; readonly close: () => Promise<void> }> {
  const driver = new PostgresDriver(pool, preparedStatements);
  const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
  const greet = () => sql`select 1`.execute(db);
  try {
    await greet().catch((error: unknown) => {
      if (!refusesStartupSettings(error)) throw error;
      Object.assign(pool.options, NO_STARTUP_SETTINGS);
      report?.(NO_TIME_LIMITS);
      return greet();
    });
  } catch (error) {
    await driver.destroy();
    throw asRefusal(error, url);
  }
  return { db, close: () => driver.destroy() };
}

const NO_TIME_LIMITS =
  `The proxy before the database takes no settings at the start of a connection, so the server does not limit how long a statement, a lock and an idle transaction take. ` +
  "Give the limits to the user: alter role … set statement_timeout = '30s', … set lock_timeout = '10s', … set idle_in_transaction_session_timeout = '30s'.";

/** Whether a proxy refused the time limits of a connection, in the words of PgBouncer or RDS Proxy. */
function refusesStartupSettings(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /unsupported startup parameter|startup parameters? .*not supported|doesn't support command-line options/i.test(
      error.message,
    ) || refusesStartupSettings(error.cause)
  );
}
