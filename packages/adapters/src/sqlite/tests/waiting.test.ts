import { aPlan, aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';

/** Another process that is writing, as far as SQLite can tell. */
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

test('a write waits for another process without holding up the event loop', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const writer = writerOn(path);
  const project = aProject();
  const written = store.insertProject(project);
  // Only a free event loop can let the other writer finish.
  setTimeout(() => writer.finish(), 1);
  await written;
  expect(await store.listProjects()).toEqual([project]);
  await close();
  remove();
});

test('reads are served while another process writes', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path, busyTimeoutMs: 0 });
  const writer = writerOn(path);
  expect(await store.listProjects()).toEqual([]);
  writer.finish();
  await close();
  remove();
});

test('past the time to wait, a write says that the database cannot serve, and has written nothing', async () => {
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

test('closing serves whoever came before, and refuses whoever comes after', async () => {
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

test('a row that refers to nothing is refused by the database', async () => {
  const { store, close } = await openSqliteStore({ path: ':memory:' });
  await expect(store.insertPlan(aPlan())).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  await close();
});
