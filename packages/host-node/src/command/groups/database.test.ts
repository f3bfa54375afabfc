import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../tests/fake-terminal.js';

let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-database-'));
  database = join(folder, 'subrail.sqlite');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]) =>
  runHere(args, { folder, environment: { SUBRAIL_DATABASE: database } });

test('backup copies the database while a host has it open, checks the copy, and overwrites no file', async () => {
  const { store, close } = await openSqliteStore({ path: database });
  await store.insertProject(aProject());
  const made = await run('backup', 'copy.sqlite', '--json');
  await store.insertProject(aProject());
  await close();
  const file = join(folder, 'copy.sqlite');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(made.stdout)).toMatchObject({ file, bytes: statSync(file).size, rows: { projects: 1 } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The copy is one file, and a host opens it.
  expect(() => statSync(`${file}-wal`)).toThrow('ENOENT');
  const copy = await openSqliteStore({ path: file });
  expect(await copy.store.listProjects()).toHaveLength(1);
  await copy.close();
  expect(await run('backup', 'copy.sqlite')).toMatchObject({
    code: 1,
    stderr: `There is a file ${file} already. Give the path of a new one.\n`,
  });
});

test('backup comes to its end while another process never stops writing', async () => {
  await (await openSqliteStore({ path: database })).close();
  const writer = new SqliteFile(database);
  writer.exec('create table filling (id integer primary key, content blob)');
  const insert = writer.prepare('insert into filling (content) values (zeroblob(4000))');
  const fill = writer.transaction((count: number) => {
    for (let at = 0; at < count; at += 1) insert.run();
  });
  fill(2_000);
  // The first backup loads its code, which takes as long as many writes on a busy machine.
  await run('backup', 'before.sqlite');
  // Far more than fit into the time of a copy that ends, on however busy a machine.
  const most = 50_000;
  const change = writer.prepare('update filling set content = randomblob(4000) where id = 1');
  const copy = { done: false };
  let writes = 0;
  const written = (async () => {
    for (; !copy.done && writes < most; writes += 1) {
      change.run();
      await new Promise(setImmediate);
    }
  })();
  const { code, stderr } = await run('backup', 'copy.sqlite');
  copy.done = true;
  await written;
  writer.close();
  expect([code, writes < most]).toEqual([0, true]);
  // A database of this size has progress told.
  expect(stderr).toMatch(/^Copying \d+ MB\.\nChecking the copy\.\n$/);
});

test('backup refuses a database whose -wal was deleted while a host runs, and creates no file next to it', async () => {
  const { store, close } = await openSqliteStore({ path: database });
  await store.insertProject(aProject());
  rmSync(`${database}-wal`);
  const made = await run('backup', 'copy.sqlite');
  expect(made).toMatchObject({ code: 1, stderr: expect.stringMatching(/-wal is missing, and /) as string });
  expect(readdirSync(folder).filter((name) => /-wal$|^copy/.test(name))).toEqual([]);
  await close();
});

test('backup leaves no copy of a damaged database', async () => {
  await (await openSqliteStore({ path: database })).close();
  const file = new SqliteFile(database);
  file.unsafeMode(true);
  file.pragma('writable_schema = ON');
  file.exec("update sqlite_schema set sql = 'nonsense' where name = 'projects'");
  file.close();
  expect((await run('backup', 'copy.sqlite')).code).toBe(1);
  expect(() => statSync(join(folder, 'copy.sqlite'))).toThrow('ENOENT');
});

test('backup copies no Postgres database, and says what does', async () => {
  database = 'postgres://billing:secret@db.example/billing';
  expect(await run('backup', 'billing.dump')).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'Nothing was copied: Postgres has its own program for it. Run: pg_dump --format=custom --file=billing.dump "postgres://billing@db.example/billing". Put the password into ~/.pgpass, so that no list of processes shows it.\n',
  });
});

test('migrate shows in a dry run what it would do, does it, and then has nothing to do', async () => {
  writeFileSync(database, '');
  const planned = await run('migrate', '--dry-run', '--json');
  const { migrations, migrated } = JSON.parse(planned.stdout) as {
    readonly migrations: readonly string[];
    readonly migrated: boolean;
  };
  expect([migrations[0]?.slice(0, 5), migrated]).toEqual(['0001_', false]);
  expect((await run('migrate', '--dry-run')).stdout).toMatch(/^These migrations are to be run:\n {2}0001_/);
  expect((await run('migrate')).stdout).toMatch(/^These migrations were run:\n {2}0001_/);
  expect((await run('migrate')).stdout).toMatch(/^The database has the schema of this release/);
});

test('backup and migrate create no database', async () => {
  for (const args of [['backup', 'copy.sqlite'], ['migrate']]) {
    expect(await run(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no database at /) as string,
    });
  }
  expect(() => statSync(database)).toThrow('ENOENT');
});
