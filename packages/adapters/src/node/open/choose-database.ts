import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PostgresOptions } from '../../postgres/index.js';
import { describe } from './read-options.js';
import { postgresAddressFault } from '../../postgres/address/fault.js';

export type DatabaseChoice =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly options: PostgresOptions };

const IN_MEMORY = ':memory:';

const EXPECTED = 'the path of a SQLite file, a file: address of one, or a postgres: address';

/**
 * The database of the option `database`. Throws a TypeError without the address, which may have a password.
 */
export function chooseDatabase(database: unknown): DatabaseChoice {
  if (database instanceof URL) return chooseDatabase(database.href);
  if (hasUrl(database)) return { kind: 'postgres', options: { ...database, url: postgresUrl(database.url) } };
  if (typeof database !== 'string' || database.trim() === '') {
    throw new TypeError(`"database" must be ${EXPECTED}; it is ${describe(database)}.`);
  }
  // A single letter is a drive of Windows.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(database)?.[1]?.toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql')
    return { kind: 'postgres', options: { url: postgresUrl(database) } };
  return { kind: 'sqlite', path: sqlitePath(database, scheme) };
}

function hasUrl(database: unknown): database is PostgresOptions {
  return typeof database === 'object' && database !== null && 'url' in database;
}

function postgresUrl(url: string): string {
  const fault = postgresAddressFault(url);
  if (fault !== null) throw new TypeError(`"database" ${fault}`);
  return url;
}

function sqlitePath(database: string, scheme: string | undefined): string {
  if (scheme !== undefined && scheme !== 'file') {
    throw new TypeError(`"database" is an address that begins with ${scheme}:, but must be ${EXPECTED}.`);
  }
  if (database === IN_MEMORY) return database;
  const path = scheme === 'file' ? filePath(database) : database;
  const folder = dirname(resolve(path));
  if (!existsSync(folder))
    throw new TypeError(`The folder ${folder} of "database" does not exist. Create it first.`);
  return path;
}

/** `file:billing.db` is relative to the working directory; `file:///srv/billing.db` is absolute. */
function filePath(address: string): string {
  if (/[?#]/.test(address)) {
    throw new TypeError(
      '"database" is a file: address with a query or a fragment, which has no effect: remove it.',
    );
  }
  if (!address.slice('file:'.length).startsWith('/'))
    return decodeURIComponent(address.slice('file:'.length));
  try {
    return fileURLToPath(address);
  } catch {
    throw new TypeError(
      `"database" is a file: address that names no file on this machine; it must be ${EXPECTED}.`,
    );
  }
}
