import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../tests/fake-terminal.js';

let folder: string;
let database: string;
const project = aProject();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-move-'));
  database = join(folder, 'subrail.sqlite');
  const { store, close } = await openSqliteStore({ path: database });
  await store.insertProject(project);
  await close();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]) =>
  runHere(args, { folder, environment: { SUBRAIL_DATABASE: database } });

test('migrate --to moves every record, and says what to set then', async () => {
  const moved = await run('migrate', '--to', 'new.sqlite');
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  expect(moved.stdout).toMatch(/^Moved 1 rows\. Every value of every row is the same in both databases:\n/);
  expect(moved.stdout).toMatch(/\n {2}projects +1 rows\n/);
  expect(moved.stdout).toMatch(
    /\nSwitch now: set SUBRAIL_DATABASE .* to the new database for every host, and start them\.\n/,
  );
  expect(await run('migrate')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The records of this database were moved to another one/) as string,
  });
  expect(await run('backup', 'old.sqlite')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The records of this database were moved to another one/) as string,
  });
  database = join(folder, 'new.sqlite');
  expect((await run('backup', 'copy.sqlite')).code).toBe(0);
  expect((await run('migrate')).stdout).toMatch(/^The database has the schema of this release/);
  const { store, close } = await openSqliteStore({ path: database });
  expect(await store.listProjects()).toEqual([project]);
  await close();
});

test('migrate --to says on the way how far it is in a large table', async () => {
  const file = new SqliteFile(database);
  file.exec(`insert into acts (id, created_at, actor, operation, input)
    with recursive made(n) as (select 1 union all select n + 1 from made where n < 100001)
    select 'act_' || n, n, 'ada', 'projects.create', '{}' from made`);
  file.close();
  const { code, stdout, stderr } = await run('migrate', '--to', 'new.sqlite');
  expect([code, stderr]).toEqual([0, 'Copied 100,000 rows of acts.\nCompared 100,000 rows of acts.\n']);
  expect(stdout).toMatch(/\n {2}acts +100,001 rows\n/);
});

test('migrate --to prints JSON with the rows and sums of each table', async () => {
  const { stdout } = await run('migrate', '--to', 'new.sqlite', '--json');
  const { tables } = JSON.parse(stdout) as { readonly tables: readonly object[] };
  expect(tables).toContainEqual({ table: 'projects', rows: 1, sums: {} });
  expect(tables).toContainEqual({ table: 'subscriptions', rows: 0, sums: { paid_amount: '0' } });
});

test('migrate --to is refused while a host has the database open, and to a database in use', async () => {
  const { close } = await openSqliteStore({ path: database });
  expect(await run('migrate', '--to', 'new.sqlite')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Another process has the database to move from open/) as string,
  });
  await close();
  expect(await run('migrate', '--to', 'subrail.sqlite')).toMatchObject({
    code: 1,
    stderr: '--to is the database that is configured already. Give another one.\n',
  });
  await (await openSqliteStore({ path: join(folder, 'other.sqlite') })).close();
  expect(await run('migrate', '--to', 'other.sqlite')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database to move to has tables of a service already/) as string,
  });
  expect(await run('migrate')).toMatchObject({ code: 0 });
});

test('databases of one name on two servers, which parameters of their addresses name, are two databases', async () => {
  const environment = { SUBRAIL_DATABASE: 'postgres:///billing?host=/nowhere/old' };
  const moved = (to: string) => runHere(['migrate', '--to', to], { folder, environment });
  for (const same of [
    'host=/nowhere/old',
    'host=/nowhere/old&sslmode=disable',
    'port=5432&host=/nowhere/old',
  ])
    expect((await moved(`postgres:///billing?${same}`)).stderr).toMatch(/configured already/);
  for (const other of ['host=/nowhere/new', 'host=/nowhere/old&port=5433'])
    expect(await moved(`postgres:///billing?${other}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^No Postgres server can be reached at \/nowhere\/old/) as string,
    });
});

test('migrate --to a server that cannot be reached says so without the password, and changes nothing', async () => {
  const { code, stdout, stderr } = await run(
    'migrate',
    '--to',
    'postgres://billing:swordfish@127.0.0.1:1/billing',
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('127.0.0.1:1');
  expect(stderr).not.toContain('swordfish');
  expect(await run('migrate')).toMatchObject({ code: 0 });
});

test('migrate --cancel-move has nothing to give up when no move was begun', async () => {
  expect(await run('migrate', '--cancel-move')).toMatchObject({
    code: 1,
    stderr: 'The records of this database are not being moved.\n',
  });
});

// starting#encryption-to-a-database
test('migrate --to an address with a parameter that does not exist says which', async () => {
  const to = 'postgres://billing:swordfish@127.0.0.1:1/billing?sslMode=verify-full';
  const { code, stderr } = await run('migrate', '--to', to);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--to has the parameter sslMode, which does not exist\. Those that do are: host, /);
  expect(stderr).not.toContain('swordfish');
});

test('migrate takes one of its purposes at a time', async () => {
  for (const options of [
    ['--to', 'new.sqlite', '--cancel-move'],
    ['--to', 'new.sqlite', '--dry-run'],
    ['--to', 'postgres://db.example.com'],
  ])
    expect(await run('migrate', ...options)).toMatchObject({ code: 2 });
});
