import { resolve } from 'node:path';
import { faultOf, type DatabaseConfig } from '../config/read-config.js';
import { SETTINGS } from '../config/settings.js';
import { UsageError } from './errors.js';

/**
 * Reads a database that a person names besides the configured one: the path of a file, or an address of
 * Postgres.
 * @param place the option, such as `--to`, and the folder of relative paths
 */
export function databaseNamed(
  text: string,
  { option, folder }: { readonly option: string; readonly folder: string },
): DatabaseConfig {
  const { data, error } = SETTINGS.database.schema.safeParse(text);
  if (error !== undefined)
    throw new UsageError(`${option} ${faultOf(error) ?? `must be ${SETTINGS.database.expected}.`}`);
  return data.kind === 'postgres'
    ? { ...data, connections: 1, preparedStatements: false }
    : { kind: 'sqlite', path: resolve(folder, data.path) };
}
