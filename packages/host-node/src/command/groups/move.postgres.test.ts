// Heavy: each move is made by the command, to a database of its own.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveRecords } from '@subrail/adapters/kysely';
import { openMovablePostgres, openPostgresStore } from '@subrail/adapters/postgres';
import { openMovableSqlite, openSqliteStore } from '@subrail/adapters/sqlite';
import { aProject } from '@subrail/core/testing';
import { emptyDatabase, type EmptyDatabase } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { runHere } from '../tests/fake-terminal.js';

let folder: string;
let file: string;
let postgres: EmptyDatabase;
const project = aProject();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-move-'));
  file = join(folder, 'subrail.sqlite');
  postgres = await emptyDatabase(inject('postgres'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await postgres.drop();
});

const openFile = () => openSqliteStore({ path: file });
const openServer = () => openPostgresStore({ url: postgres.url });
type Open = typeof openFile | typeof openServer;

async function fill(): Promise<void> {
  const { store, close } = await openFile();
  await store.insertProject(project);
  await close();
}

async function projectsIn(open: Open): Promise<readonly object[]> {
  const { store, close } = await open();
  try {
    return await store.listProjects();
  } finally {
    await close();
  }
}

/** Begins a move as the command does, and ends it when it has copied some rows. */
async function beginMove(): Promise<void> {
  const [from, to] = [
    await openMovableSqlite({ path: file }),
    await openMovablePostgres({ url: postgres.url }),
  ];
  const killed = new Error('killed');
  const stop = () => {
    throw killed;
  };
  await expect(moveRecords(from, to, stop)).rejects.toBe(killed);
  await from.close();
  await to.close();
}

const migrate = (database: string, ...args: readonly string[]) =>
  runHere(['migrate', ...args], { folder, environment: { SUBRAIL_DATABASE: database } });
const refusal = (sentence: RegExp) => ({ code: 1, stderr: expect.stringMatching(sentence) as string });

test('migrate --to moves every record, and says what to set then', async () => {
  await fill();
  const moved = await migrate(file, '--to', postgres.url);
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  expect(moved.stdout).toMatch(/^Moved 1 rows\. Every value of every row is the same in both databases:\n/);
  expect(moved.stdout).toMatch(/\n {2}projects +1 rows\n/);
  expect(moved.stdout).toMatch(
    /\nSwitch now: set SUBRAIL_DATABASE .* to the new database for every host, and start them\.\n/,
  );
  expect(await migrate(file)).toMatchObject(
    refusal(/^The records of this database were moved to another one/),
  );
  expect((await migrate(postgres.url)).stdout).toMatch(/^The database has the schema of this release/);
  expect(await projectsIn(openServer)).toEqual([project]);
});

test('migrate --to says on the way how far it is in a large table', async () => {
  await fill();
  const audit = new SqliteFile(file);
  audit.exec(`insert into audit_entries (id, created_at, actor, operation, input)
    with recursive made(n) as (select 1 union all select n + 1 from made where n < 100001)
    select 'aud_' || n, n, 'ada', 'projects.create', '{}' from made`);
  audit.close();
  const { code, stdout, stderr } = await migrate(file, '--to', postgres.url);
  expect([code, stderr]).toEqual([
    0,
    'Copied 100,000 rows of audit_entries.\nCompared 100,000 rows of audit_entries.\n',
  ]);
  expect(stdout).toMatch(/\n {2}audit_entries +100,001 rows\n/);
});

test('migrate --to prints JSON with the rows and sums of each table', async () => {
  await fill();
  const { stdout } = await migrate(file, '--to', postgres.url, '--json');
  const { tables } = JSON.parse(stdout) as { readonly tables: readonly object[] };
  expect(tables).toContainEqual({ table: 'projects', rows: 1, sums: {} });
  expect(tables).toContainEqual({ table: 'subscriptions', rows: 0, sums: { paid_amount: '0' } });
});

test('migrate --to is refused while a host has the file open, and to a database in use', async () => {
  await fill();
  const { close } = await openFile();
  expect(await migrate(file, '--to', postgres.url)).toMatchObject(
    refusal(/^Another process has the database to move from open/),
  );
  await close();
  await (await openServer()).close();
  expect(await migrate(file, '--to', postgres.url)).toMatchObject(
    refusal(/^The database to move to has tables of a service already/),
  );
  expect(await migrate(file)).toMatchObject({ code: 0 });
});

test('an interrupted move to Postgres is finished by the same command', async () => {
  await fill();
  await beginMove();
  expect(await migrate(file)).toMatchObject(refusal(/^The records of this database are being moved/));
  expect(await migrate(postgres.url)).toMatchObject(refusal(/^This database has only a part/));
  const moved = await migrate(file, '--to', postgres.url);
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  expect(moved.stdout).toMatch(/^Moved 1 rows\./);
  expect(await projectsIn(openServer)).toEqual([project]);
  expect(await migrate(file)).toMatchObject(refusal(/^The records of this database were moved/));
  expect(await migrate(file, '--cancel-move')).toMatchObject(refusal(/^The move has ended/));
});

test('an interrupted move to Postgres is cancelled by command', async () => {
  await fill();
  await beginMove();
  expect(await migrate(file, '--cancel-move')).toMatchObject({ code: 0, stderr: '' });
  expect(await projectsIn(openFile)).toEqual([project]);
  expect(await migrate(postgres.url)).toMatchObject(refusal(/^This database has only a part/));
});

test('a file whose records are moved to Postgres is not backed up, during the move and after it', async () => {
  await fill();
  await beginMove();
  const backUp = () => runHere(['backup', 'old.sqlite'], { folder, environment: { SUBRAIL_DATABASE: file } });
  const refused = (sentence: RegExp) => ({ ...refusal(sentence), stdout: '' });
  expect(await backUp()).toMatchObject(refused(/^The records of this database are being moved/));
  expect(await migrate(file, '--to', postgres.url)).toMatchObject({ code: 0 });
  expect(await backUp()).toMatchObject(refused(/^The records of this database were moved to another one/));
  expect(existsSync(join(folder, 'old.sqlite'))).toBe(false);
});
