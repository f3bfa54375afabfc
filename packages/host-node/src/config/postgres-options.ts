import type { PostgresOptions } from '@subrail/adapters/postgres';
import type { DatabaseConfig } from './read-config.js';

/** With which options a Postgres database is opened that is configured. */
export function postgresOptions({
  url,
  connections,
  preparedStatements,
}: Extract<DatabaseConfig, { kind: 'postgres' }>): PostgresOptions {
  return { url, poolSize: connections, ...(preparedStatements === null ? {} : { preparedStatements }) };
}
