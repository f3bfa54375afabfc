import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { migrate, SchemaDriftError } from './index.js';
import type { OnlineMigration } from './migrations/online.js';
import { SqliteDialect } from '../sqlite/dialect.js';
import { sqliteTraits } from './engines/sqlite.js';
import { openSqliteStore } from '../sqlite/index.js';
import { scratchFile } from '../sqlite/tests/scratch.js';

const FIRST = ['create table one (id text primary key)'];
const SECOND = ['create table two (id text primary key)', 'create index two_id on two (id)'];

const { path, remove } = scratchFile();
const opened: Kysely<unknown>[] = [];
let files = 0;

/** Opens the file with this number, and creates it when the number is new. */
function connect(file: number): Kysely<unknown> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect(new SqliteFile(`${path}-${file}`), 5000) });
  opened.push(db);
  return db;
}

async function tablesOf(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  return tables.map((table) => table.name).filter((name) => !name.startsWith('subrail_'));
}

afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy();
});
afterAll(remove);

describe('migrate', () => {
  test('runs the missing migrations in order, each once', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST });
    await sql`insert into one values ('kept')`.execute(db);
    await migrate(db, sqliteTraits, { '0002_second': SECOND, '0001_first': FIRST });
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    expect(await tablesOf(db)).toEqual(['one', 'two']);
    expect((await sql`select id from one`.execute(db)).rows).toEqual([{ id: 'kept' }]);
  });

  test('runs once when several callers race on one file', async () => {
    const file = ++files;
    const migrations = { '0001_first': FIRST, '0002_second': SECOND };
    const callers = Array.from({ length: 5 }, () => connect(file));
    await Promise.all(callers.map((db) => migrate(db, sqliteTraits, migrations)));
    for (const db of callers) expect(await tablesOf(db)).toEqual(['one', 'two']);
  });

  test('refuses a database whose migration was edited after it ran, and changes nothing', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST });
    const edited = migrate(db, sqliteTraits, {
      '0001_first': ['create table other (id text)'],
      '0002_second': SECOND,
    });
    await expect(edited).rejects.toThrow(SchemaDriftError);
    await expect(edited).rejects.toThrow(/^Migration 0001_first was edited after it ran/);
    expect(await tablesOf(db)).toEqual(['one']);
  });

  test('refuses a database that a newer release migrated, and changes nothing', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    const older = migrate(db, sqliteTraits, { '0001_first': FIRST });
    await expect(older).rejects.toThrow(SchemaDriftError);
    await expect(older).rejects.toThrow(/has migration 0002_second, which this release does not know/);
    expect(await tablesOf(db)).toEqual(['one', 'two']);
  });

  test('goes on after a release that was migrated on a machine whose clock was ahead', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST });
    await sql`update subrail_migrations set timestamp = '2099-01-01T00:00:00.000Z'`.execute(db);
    const third = ['create table three (id text primary key)'];
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND, '0003_third': third });
    expect(await tablesOf(db)).toEqual(['one', 'three', 'two']);
  });

  test('refuses a database that lacks a migration before one that ran, and changes nothing', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0002_second': SECOND });
    const gap = migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    await expect(gap).rejects.toThrow(SchemaDriftError);
    await expect(gap).rejects.toThrow(/^The database lacks migration 0001_first, but a later one ran\./);
    expect(await tablesOf(db)).toEqual(['two']);
  });

  test('undoes a migration that fails, and can run again', async () => {
    const db = connect(++files);
    const broken = migrate(db, sqliteTraits, {
      '0001_first': FIRST,
      '0002_second': [...SECOND, 'create nonsense'],
    });
    await expect(broken).rejects.toThrow('The database could not be migrated; the cause says why.');
    expect(await tablesOf(db)).toEqual([]);
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    expect(await tablesOf(db)).toEqual(['one', 'two']);
  });

  test('gives up after two minutes, as unavailable, when a table stays locked', async () => {
    const db = connect(++files);
    const online: OnlineMigration = {
      limitWaits: () => Promise.resolve(),
      gaveWay: (error) => error !== undefined,
      missingIndexes: () => Promise.resolve([]),
      buildIndexes: () => Promise.resolve(),
    };
    // Each pause ends at once.
    const pauses = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((ended) => setImmediate(ended) as never);
    try {
      const locked = migrate(db, { ...sqliteTraits, online }, { '0001_first': ['create nonsense'] });
      await expect(locked).rejects.toThrow(Unavailable);
      await expect(locked).rejects.toThrow(
        /^The database was not migrated, because a table stayed in use by another transaction for two minutes\./,
      );
      expect(pauses.mock.calls.filter(([, ms]) => ms === 2_000)).toHaveLength(29);
    } finally {
      pauses.mockRestore();
    }
  });

  test('keeps the rows of an existing file', async () => {
    const name = `${path}-${++files}`;
    const project = aProject();
    const first = await openSqliteStore({ path: name });
    await first.store.insertProject(project);
    await first.close();
    const second = await openSqliteStore({ path: name });
    expect(await second.store.listProjects()).toEqual([project]);
    await second.close();
  });

  test('has 64 bits for every number of milliseconds, on engines whose integers have 32', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits);
    const tables = await db.introspection.getTables();
    const columns = tables.flatMap(({ name, columns }) =>
      columns.map((column) => ({ ...column, table: name })),
    );
    const inMs = columns.filter(({ name }) => /(_at|_ms|until)$/.test(name));
    expect(
      inMs.filter(({ dataType }) => dataType !== 'bigint').map(({ table, name }) => `${table}.${name}`),
    ).toEqual([]);
  });

  test('opening a file that a newer release migrated fails with SchemaDriftError and closes the file', async () => {
    const name = `${path}-${++files}`;
    const { close } = await openSqliteStore({ path: name });
    await close();
    const file = new SqliteFile(name);
    file.exec("insert into subrail_migrations values ('0999_later#00', '2030-01-01T00:00:00.000Z')");
    file.close();
    await expect(openSqliteStore({ path: name })).rejects.toThrow(/migrated by a newer release/);
  });
});
