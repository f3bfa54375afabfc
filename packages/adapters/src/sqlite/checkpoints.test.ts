import { copyFileSync } from 'node:fs';
import { aPlan, aProject } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHECKPOINT_DELAY_MS } from './checkpoints.js';
import { DatabaseFileError, openSqliteStore } from './index.js';
import { overwritePage, rootPage } from './tests/overwrite-page.js';
import { rawSqlite } from './tests/raw-sqlite.js';
import { scratchFile } from './tests/scratch.js';

let scratch: ReturnType<typeof scratchFile>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  scratch = scratchFile();
});

afterEach(() => {
  vi.useRealTimers();
  scratch.remove();
});

/** How many projects a copy of the database file has, without the files next to it. */
async function projectsInCopy(): Promise<number> {
  const copy = `${scratch.path}.copy`;
  copyFileSync(scratch.path, copy);
  const raw = rawSqlite(copy);
  try {
    return await raw.count('projects');
  } finally {
    raw.close();
  }
}

test('the database file alone has what was written a second ago', async () => {
  const { store, close } = await openSqliteStore({ path: scratch.path });
  await store.insertProject(aProject());
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  expect(await projectsInCopy()).toBe(1);

  await store.insertProject(aProject());
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS - 1);
  expect(await projectsInCopy()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await projectsInCopy()).toBe(2);

  await store.listProjects();
  expect(vi.getTimerCount()).toBe(0);
  await close();
});

test('a transaction that is under way is waited for', async () => {
  const { store, close } = await openSqliteStore({ path: scratch.path });
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  await store.insertProject(aProject());
  await store.transaction(async (operations) => {
    await operations.listProjects();
    vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  });
  expect(await projectsInCopy()).toBe(0);
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  expect(await projectsInCopy()).toBe(1);
  await close();
});

test('what a reader held back follows once it has finished', async () => {
  const { store, close } = await openSqliteStore({ path: scratch.path });
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  const reader = new SqliteFile(scratch.path, { readonly: true });
  const rows = reader.prepare('select name from sqlite_schema').iterate();
  rows.next();
  await store.insertProject(aProject());
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  expect(await projectsInCopy()).toBe(0);
  rows.return?.();
  reader.close();
  await store.listProjects();
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  expect(await projectsInCopy()).toBe(1);
  await close();
});

test('closing brings everything into the file, even while another connection is open', async () => {
  const other = await openSqliteStore({ path: scratch.path });
  const { store, close } = await openSqliteStore({ path: scratch.path });
  await store.insertProject(aProject());
  await close();
  expect(await projectsInCopy()).toBe(1);
  await other.close();
});

test('a file that was found damaged is left as it is', async () => {
  const project = aProject();
  const closed = await openSqliteStore({ path: scratch.path });
  await closed.store.insertProject(project);
  await closed.close();
  overwritePage(scratch.path, rootPage(scratch.path, 'plans'));
  const { store, close } = await openSqliteStore({ path: scratch.path });
  await store.insertProject(aProject());
  await expect(store.insertPlan(aPlan({ projectId: project.id }))).rejects.toThrow(DatabaseFileError);
  vi.advanceTimersByTime(CHECKPOINT_DELAY_MS);
  expect(await projectsInCopy()).toBe(1);
  expect(await store.listProjects()).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
  await close();
});
