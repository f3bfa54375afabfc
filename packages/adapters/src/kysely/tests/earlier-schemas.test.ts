import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../../sqlite-engine.js';
import type { Database } from '../index.js';
import { describeEarlierSchemas } from './describe-earlier-schemas.js';

describeEarlierSchemas('SQLite', async () => {
  const dialect = new SqliteDialect(new SqliteFile(':memory:'), 0);
  const close = () => dialect.close();
  return { db: new Kysely<Database>({ dialect }), traits: sqliteTraits, close };
});
