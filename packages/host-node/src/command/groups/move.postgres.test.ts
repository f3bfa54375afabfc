import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveRecords, type MovableDatabase } from '@subrail/adapters/kysely';
import { openMovablePostgres, openPostgresStore } from '@subrail/adapters/postgres';
import { openMovableSqlite, openSqliteStore } from '@subrail/adapters/sqlite';
import { aProject } from '@subrail/core/testing';
import { emptyDatabase, type EmptyDatabase } from '@subrail/test-postgres';
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

async function fill(open: Open): Promise<void> {
  const { store, close } = await open();
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
async function beginMove(source: Promise<MovableDatabase>, target: Promise<MovableDatabase>): Promise<void> {
  const [from, to] = [await source, await target];
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
const movable = {
  file: () => openMovableSqlite({ path: file }),
  server: () => openMovablePostgres({ url: postgres.url }),
};

test('an interrupted move to Postgres is finished by the same command', async () => {
  await fill(openFile);
  await beginMove(movable.file(), movable.server());
  expect(await migrate(file)).toMatchObject(refusal(/^The records of this database are being moved/));
  expect(await migrate(postgres.url)).toMatchObject(refusal(/^This database has only a part/));
  const moved = await migrate(file, '--to', postgres.url);
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  expect(moved.stdout).toMatch(/^Moved 1 rows\./);
  expect(await projectsIn(openServer)).toEqual([project]);
  expect(await migrate(file)).toMatchObject(refusal(/^The records of this database were moved/));
});

test('an interrupted move to Postgres is cancelled by command', async () => {
  await fill(openFile);
  await beginMove(movable.file(), movable.server());
  expect(await migrate(file, '--cancel-move')).toMatchObject({ code: 0, stderr: '' });
  expect(await projectsIn(openFile)).toEqual([project]);
  expect(await migrate(postgres.url)).toMatchObject(refusal(/^This database has only a part/));
});

test('an interrupted move from Postgres is finished by the same command', async () => {
  await fill(openServer);
  await beginMove(movable.server(), movable.file());
  const moved = await migrate(postgres.url, '--to', file);
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  expect(await projectsIn(openFile)).toEqual([project]);
  expect(await migrate(postgres.url, '--cancel-move')).toMatchObject(refusal(/^The move has ended/));
  expect(await migrate(postgres.url)).toMatchObject(refusal(/^The records of this database were moved/));
});

test('an interrupted move from Postgres is cancelled by command', async () => {
  await fill(openServer);
  await beginMove(movable.server(), movable.file());
  expect(await migrate(postgres.url, '--cancel-move')).toMatchObject({ code: 0, stderr: '' });
  expect(await projectsIn(openServer)).toEqual([project]);
});

test('a file whose records are moved to Postgres is not backed up, during the move and after it', async () => {
  await fill(openFile);
  await beginMove(movable.file(), movable.server());
  const backUp = () => runHere(['backup', 'old.sqlite'], { folder, environment: { SUBRAIL_DATABASE: file } });
  const refused = (sentence: RegExp) => ({ ...refusal(sentence), stdout: '' });
  expect(await backUp()).toMatchObject(refused(/^The records of this database are being moved/));
  expect(await migrate(file, '--to', postgres.url)).toMatchObject({ code: 0 });
  expect(await backUp()).toMatchObject(refused(/^The records of this database were moved to another one/));
  expect(existsSync(join(folder, 'old.sqlite'))).toBe(false);
});
