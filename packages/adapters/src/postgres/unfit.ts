import { sql, type Kysely } from 'kysely';
import type { Database } from '../kysely/index.js';

/** The oldest tested version. */
const OLDEST_VERSION = 15;

/** Why a server is too old, and what to do; null when it is not. */
export async function unfitVersion(db: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(db);
  const version = rows[0]?.version ?? 'none';
  return Number.parseInt(version, 10) >= OLDEST_VERSION
    ? null
    : `The Postgres server has version ${version}, and Subrail needs version ${OLDEST_VERSION} or later. Upgrade the server, or use another one.`;
}

/**
 * Why a database cannot hold every record, and what to do; null when it can. Encodings besides UTF8 lack
 * characters that merchants write.
 */
export async function unfitEncoding(db: Kysely<Database>, database: string): Promise<string | null> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  return encoding === 'UTF8'
    ? null
    : `${database} has the encoding ${encoding}, and records can have any character. Create a new one: createdb --encoding=UTF8 --template=template0`;
}
