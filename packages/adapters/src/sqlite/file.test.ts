import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DatabaseFileError } from './faults.js';
import { driverFault, openFile } from './file.js';
import { openSqliteStore } from './open.js';
import { scratchFile } from './tests/scratch.js';

/** The value of `PRAGMA synchronous` with which a commit waits until the disk has the WAL. */
const FULL = 2;

test('a commit is on the disk before it returns, in a WAL that other connections can read', async () => {
  const { path, remove } = scratchFile();
  // The default depends on the header: an empty file has another than a written one.
  for (const state of ['new', 'written']) {
    const file = await openFile(path, 5000);
    file.exec(`create table ${state}_file (id)`);
    expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
    expect([state, file.pragma('synchronous', { simple: true })]).toEqual([state, FULL]);
    file.close();
  }
  remove();
});

test('a path that cannot be used is refused with an error that names it', async () => {
  const { path, remove } = scratchFile();
  writeFileSync(path, 'This is a text and no database. '.repeat(100));
  await expect(openFile(path, 5000)).rejects.toThrow(
    new DatabaseFileError(
      `The file ${path} is not a SQLite database, or it is damaged. Give the path of another file, or restore it from a copy.`,
    ),
  );
  const folder = dirname(path);
  await expect(openFile(folder, 5000)).rejects.toThrow(
    new DatabaseFileError(
      `The database ${folder} cannot be opened. Check that it is a file, and its permissions and those of its folder.`,
    ),
  );
  remove();
});

test('waits up to the timeout for a connection that is creating the file, without blocking the event loop', async () => {
  const { path, remove } = scratchFile();
  const other = new SqliteFile(path, { timeout: 0 });
  other.exec('begin exclusive');
  await expect(openFile(path, 5)).rejects.toThrow(
    new Unavailable(`Another process has kept the database ${path} locked for too long. Try again.`),
  );
  const opened = openFile(path, 5_000);
  // The other connection can only close while the event loop is free.
  setTimeout(() => other.close(), 1);
  (await opened).close();
  remove();
});

test('refuses a -wal whose database is missing, and leaves it as it is', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const project = aProject();
  await store.insertProject(project);
  // The files as a killed process leaves them.
  copyFileSync(path, `${path}.copy`);
  copyFileSync(`${path}-wal`, `${path}.copy-wal`);
  await close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  copyFileSync(`${path}.copy-wal`, `${path}-wal`);
  await expect(openSqliteStore({ path })).rejects.toThrow(/is missing, and .*-wal has records of it/);
  copyFileSync(`${path}.copy`, path);
  const again = await openSqliteStore({ path });
  expect(await again.store.findProject(project.id)).toEqual(project);
  await again.close();
  remove();
});

test.each([
  ['20.20.2', '12.11.1', null],
  ['20.20.2', null, null],
  ['22.23.3', '13.2.0', null],
  ['24.21.0', '12.11.1', null],
  [
    '20.20.2',
    '13.2.0',
    'better-sqlite3 13.2.0 needs Node 22 or newer, and this is Node 20.20.2. Run: npm install better-sqlite3@12',
  ],
])('a driver from 13 on is refused before Node 22 only: Node %s, driver %s', (node, driver, sentence) => {
  expect(driverFault(node, () => driver)).toBe(sentence);
});
