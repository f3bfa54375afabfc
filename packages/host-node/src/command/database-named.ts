import { resolve } from 'node:path';
import { faultOf, type DatabaseConfig } from '../config/read-config.js';
import { SETTINGS } from '../config/settings.js';
import { UsageError } from './errors.js';

/**
 * The database that a person named besides the configured one: the path of a file, or the address of a Postgres database.
 * @param place where it was named, such as `--to`, and the folder that its path is relative to
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
