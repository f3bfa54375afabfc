import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import { emptyDatabase, type EmptyDatabase } from '@subrail/test-postgres';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createKyselyStore, migrate, type Database } from '../../kysely/index.js';
import { MOVED_TABLES } from '../../kysely/move/tables.js';
import { everyCall } from '../../kysely/tests/large/every-call.js';
import { fillLarge } from '../../kysely/tests/large/fill-large.js';
import { postgresDialect, postgresTraits } from '../../kysely/engines/postgres.js';
import { PostgresDriver } from '../driver.js';
import { openPool } from '../pool.js';

// A later release migrates the database while hosts of this one go on.

let database: EmptyDatabase;
let db: Kysely<Database>;
beforeEach(async () => {
  database = await emptyDatabase(inject('postgres'));
  // With one connection, whose statements are prepared from their second run on.
  const driver = new PostgresDriver(openPool({ url: database.url, poolSize: 1 }), true);
  db = new Kysely<Database>({ dialect: postgresDialect(driver) });
  await migrate(db, postgresTraits);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

async function connection() {
  const { rows } = await sql<{ pid: number; statements: number }>`
    select pg_backend_pid() as pid, count(*)::int as statements from pg_prepared_statements`.execute(db);
  return rows[0];
}

test('no call of the store fails when a later release adds columns and indexes to every table', async () => {
  await fillLarge(db, 500);
  const store = createKyselyStore(db, postgresTraits);
  const callAll = async () => {
    for (const call of Object.values(everyCall(store)).flat()) await call();
  };
  await callAll();
  await callAll();
  const before = await connection();
  expect(before?.statements).toBeGreaterThan(80);
  for (const table of Object.keys(MOVED_TABLES)) {
    await sql
      .raw(
        `alter table ${table} add column later_note text, add column later_count integer not null default 0`,
      )
      .execute(db);
    await sql.raw(`create index ${table}_later on ${table} (later_count)`).execute(db);
  }
  await callAll();
  const after = await connection();
  expect(after?.pid).toBe(before?.pid);
});

test('a call whose answer changes its type is Unavailable once, and works on the next connection', async () => {
  const store = createKyselyStore(db, postgresTraits);
  const project = aProject({ name: 'Shop' });
  await store.insertProject(project);
  const find = () => store.findProject(project.id);
  await find();
  await find();
  await find();
  const before = await connection();
  await sql`alter table projects alter column name type varchar(200)`.execute(db);
  await expect(find()).rejects.toThrow(Unavailable);
  expect(await find()).toEqual(project);
  expect((await connection())?.pid).not.toBe(before?.pid);
});
