import { existsSync } from 'node:fs';
import { postgresOptions } from '../config/postgres-options.js';
import type { DatabaseConfig } from '../config/read-config.js';
import { CommandFailed } from './errors.js';

/**
 * Refuses a missing database, which a command would create at another place than the hosts', and a database
 * of an earlier release, whose hosts may run: a command that only looks must not upgrade it under them.
 */
export async function requireDatabase(database: DatabaseConfig): Promise<void> {
  const pending = await pendingMigrationsOf(database);
  const [first] = pending;
  if (first === undefined) return;
  if (first.startsWith('0001'))
    throw new CommandFailed(
      `The database ${nameOf(database)} has no tables of Subrail: set SUBRAIL_DATABASE as your hosts have it, or start a host first.`,
    );
  throw new CommandFailed(
    `This database is not yet as this release has it, and hosts of an earlier one may run: nothing was changed. It lacks ${pending.join(', ')}. ` +
      'Use the command of that release, or upgrade the database by a start of a host of this one, or with "subrail migrate".',
  );
}

/** The migrations that a database lacks, in their order. Changes nothing. */
export async function pendingMigrationsOf(database: DatabaseConfig): Promise<readonly string[]> {
  if (database.kind === 'sqlite') {
    requireFile(database);
    const { pendingSqliteMigrations } = await import('@subrail/adapters/sqlite');
    return pendingSqliteMigrations(database);
  }
  const { pendingPostgresMigrations } = await import('@subrail/adapters/postgres');
  return pendingPostgresMigrations(postgresOptions(database));
}

/** The path or the address of a database, without its password. */
export function nameOf(database: DatabaseConfig): string {
  if (database.kind === 'sqlite') return database.path;
  // The address may have several hosts, which no URL has.
  return database.url.replace(/^(\w+:\/\/[^:@/?#]*):[^/?#]*@/, '$1@');
}

/**
 * Refuses a missing SQLite file. The database is not opened, so a command may work on one whose records are
 * being moved.
 */
export function requireFile(database: DatabaseConfig): void {
  if (database.kind !== 'sqlite' || existsSync(database.path)) return;
  throw new CommandFailed(
    `There is no database at ${database.path}: set SUBRAIL_DATABASE or SUBRAIL_DATA_DIR as your hosts have it.`,
  );
}
