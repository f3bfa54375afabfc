import { aPlan, aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openFile } from '../file.js';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';

/** A second connection that holds the write lock, as another process would. */
function writerOn(path: string) {
  const file = new SqliteFile(path);
  file.exec('begin immediate');
  return {
    finish: () => {
      file.exec('commit');
      file.close();
    },
  };
}

test('a write waits for another process without blocking the event loop', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const writer = writerOn(path);
  const project = aProject();
  const written = store.insertProject(project);
  // The other writer can only finish while the event loop is free.
  setTimeout(() => writer.finish(), 1);
  await written;
  expect(await store.listProjects()).toEqual([project]);
  await close();
  remove();
});

test('reads continue while another process writes', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path, busyTimeoutMs: 0 });
  const writer = writerOn(path);
  expect(await store.listProjects()).toEqual([]);
  writer.finish();
  await close();
  remove();
});

test('reads continue while writes wait for another process', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const writer = writerOn(path);
  const projects = [aProject(), aProject(), aProject()];
  const writes = projects.map((project) => store.insertProject(project));
  const transaction = store.transaction((operations) => operations.listProjects());
  expect(await store.listProjects()).toEqual([]);
  writer.finish();
  await Promise.all([...writes, transaction]);
  expect(await store.listProjects()).toHaveLength(3);
  await close();
  remove();
});

test('a write that waited too long throws Unavailable and writes nothing', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path, busyTimeoutMs: 5 });
  const writer = writerOn(path);
  const busy = { name: 'Unavailable', cause: { code: 'SQLITE_BUSY' } };
  await expect(store.insertProject(aProject())).rejects.toMatchObject(busy);
  await expect(store.transaction(async () => undefined)).rejects.toMatchObject(busy);
  writer.finish();
  expect(await store.listProjects()).toEqual([]);
  await close();
  remove();
});

test('a store that is opened waits for a process that migrates the file, longer than for one that writes', async () => {
  const { path, remove } = scratchFile();
  (await openFile(path, 0)).close();
  const migrating = writerOn(path);
  const reports: string[] = [];
  const report = (sentence: string) => {
    reports.push(sentence);
    migrating.finish();
  };
  const { store, close } = await openSqliteStore({ path, busyTimeoutMs: 0, report });
  expect(reports).toEqual([
    'Another process writes to the database, such as one that migrates it. This one goes on when that has ended, and waits for two minutes at most.',
  ]);
  expect(await store.listProjects()).toEqual([]);
  await close();
  remove();
});

test('closing serves earlier calls and refuses later ones', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const project = aProject();
  const before = [store.insertProject(project), store.findProject(project.id)];
  const closed = close();
  expect(await before[1]).toEqual(project);
  await closed;
  await expect(store.listProjects()).rejects.toThrow();
  remove();
});

test('the database refuses a row whose foreign key names no row', async () => {
  const { store, close } = await openSqliteStore({ path: ':memory:' });
  await expect(store.insertPlan(aPlan())).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  await close();
});
