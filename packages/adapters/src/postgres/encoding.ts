import { sql, type Kysely } from 'kysely';
import type { Database } from '../kysely/index.js';

/**
 * Why a database cannot hold every record, and what to do; null when it can. Another encoding than UTF8 lacks characters that merchants
 * write.
 */
export async function unfitEncoding(db: Kysely<Database>, database: string): Promise<string | null> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  return encoding === 'UTF8'
    ? null
    : `${database} has the encoding ${encoding}, and records can have any character. Create a new one: createdb --encoding=UTF8 --template=template0`;
}
