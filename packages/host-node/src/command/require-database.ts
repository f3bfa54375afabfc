import { existsSync } from 'node:fs';
import type { DatabaseConfig } from '../config/read-config.js';
import { CommandFailed } from './command-failed.js';

/** Throws when there is no database for a command to work on, which would create one at another place than the hosts'. */
export async function requireDatabase(database: DatabaseConfig): Promise<void> {
  requireFile(database);
  if (database.kind === 'sqlite') return;
  const { pendingPostgresMigrations } = await import('@subrail/adapters/postgres');
  const [first] = await pendingPostgresMigrations({ url: database.url });
  if (first?.startsWith('0001') !== true) return;
  throw new CommandFailed(
    `The database ${new URL(database.url).pathname.slice(1)} has no tables of Subrail: set SUBRAIL_DATABASE as your hosts have it, or start a host first.`,
  );
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
