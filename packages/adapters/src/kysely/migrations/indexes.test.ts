import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { migrate } from '../index.js';
import { WITH_NEXT } from '../tests/next-migration.js';
import { schemaIndexes } from './indexes.js';

test('the indexes are those that the migrations leave in a database', async () => {
  const file = new SqliteFile(':memory:');
  const db = new Kysely<unknown>({ dialect: new SqliteDialect(file, 0) });
  await migrate(db, sqliteTraits, WITH_NEXT);
  const stored = file
    .prepare<[], { name: string; table: string; create: string }>(
      `select name, tbl_name as "table", sql as "create" from sqlite_schema where type = 'index' and sql is not null`,
    )
    .all();
  const plain = (text: string) => text.toLowerCase().replace(' if not exists', '').replace(/\s+/g, ' ');
  const sorted = (indexes: readonly { name: string; table: string; create: string }[]) =>
    indexes.map(({ name, table, create }) => [name, table, plain(create)].join(': ')).sort();
  expect(sorted(schemaIndexes(WITH_NEXT))).toEqual(sorted(stored));
  await db.destroy();
});
