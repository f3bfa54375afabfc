import SqliteFile from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { SqliteDialect } from '../../sqlite/dialect.js';
import { sqliteTraits } from '../engines/sqlite.js';
import { migrate } from '../index.js';
import { WITH_NEXT } from '../tests/next-migration.js';
import { forEngine } from './for-engine.js';
import { schemaTables } from './tables.js';

const statements = Object.values(forEngine(WITH_NEXT, sqliteTraits)).flat();

test('the tables and columns are those that the migrations leave in a database', async () => {
  const file = new SqliteFile(':memory:');
  const db = new Kysely<unknown>({ dialect: new SqliteDialect(file, 0) });
  await migrate(db, sqliteTraits, WITH_NEXT);
  const stored = file
    .prepare<[], string>(
      `select tables.name || '.' || columns.name || ' ' || columns.type ||
         iif(columns."notnull" or columns.pk, ' not null', '') || coalesce(' default ' || columns.dflt_value, '')
       from sqlite_schema as tables, pragma_table_info(tables.name) as columns
       where tables.type = 'table' and tables.name not like 'subrail%'`,
    )
    .pluck()
    .all();
  const made = schemaTables(statements).flatMap(({ name: table, columns }) =>
    columns.map(({ name, definition }) => `${table}.${name} ${definition}`),
  );
  expect([...made].sort()).toEqual(
    stored.map((line) => line.replace(/ (TEXT|INTEGER)\b/, (type) => type.toLowerCase())).sort(),
  );
  await db.destroy();
});

test('the keys are the primary keys and the foreign keys', () => {
  const keysOf = (table: string) => schemaTables(statements).find(({ name }) => name === table)?.keys;
  expect(keysOf('plans')).toEqual(['primary key (id)', 'foreign key (project_id) references projects (id)']);
  expect(keysOf('delivery_attempts')).toEqual([
    'foreign key (delivery_id) references deliveries (id) on delete cascade',
    'primary key (delivery_id, number)',
  ]);
});
