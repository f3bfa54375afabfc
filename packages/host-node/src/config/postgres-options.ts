import type { PostgresOptions } from '@subrail/adapters/postgres';
import type { DatabaseConfig } from './read-config.js';

/** The options that open a configured Postgres database. */
export function postgresOptions({
  url,
  connections,
  preparedStatements,
}: Extract<DatabaseConfig, { kind: 'postgres' }>): PostgresOptions {
  return { url, poolSize: connections, ...(preparedStatements === null ? {} : { preparedStatements }) };
}
