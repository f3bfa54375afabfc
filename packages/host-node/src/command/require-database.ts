import { existsSync } from 'node:fs';
import { postgresOptions } from '../config/postgres-options.js';
import type { DatabaseConfig } from '../config/read-config.js';
import { CommandFailed } from './errors.js';

/**
 * Throws when there is no database for a command to work on, which would create one at another place than the hosts', and when an
 * earlier release made it: hosts of that release may run on it, and somebody who only looks does not mean to upgrade it under them.
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

/** The names of the migrations that a database lacks, in their order. Nothing is changed. */
export async function pendingMigrationsOf(database: DatabaseConfig): Promise<readonly string[]> {
  if (database.kind === 'sqlite') {
    requireFile(database);
    const { pendingSqliteMigrations } = await import('@subrail/adapters/sqlite');
    return pendingSqliteMigrations(database);
  }
  const { pendingPostgresMigrations } = await import('@subrail/adapters/postgres');
  return pendingPostgresMigrations(postgresOptions(database));
}

/** What a database is called, without the password of its address. */
export function nameOf(database: DatabaseConfig): string {
  if (database.kind === 'sqlite') return database.path;
  // The address may have several hosts, which no URL has.
  return database.url.replace(/^(\w+:\/\/[^:@/?#]*):[^/?#]*@/, '$1@');
}

/**
 * Throws when there is no SQLite file for a command to work on. It does not look into the database, so that it lets a command work on
 * one whose records are being moved.
 */
export function requireFile(database: DatabaseConfig): void {
  if (database.kind !== 'sqlite' || existsSync(database.path)) return;
  throw new CommandFailed(
    `There is no database at ${database.path}: set SUBRAIL_DATABASE or SUBRAIL_DATA_DIR as your hosts have it.`,
  );
}
