import { chmodSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { aProject } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { openSqliteStore } from './index.js';
import { scratchFile } from './tests/scratch.js';

const mode = (path: string) => statSync(path).mode & 0o777;

test('only the owner has permissions for a new database and the files next to it', async () => {
  const { path, remove } = scratchFile();
  chmodSync(dirname(path), 0o755);
  const store = await openSqliteStore({ path });
  expect([path, `${path}-wal`, `${path}-shm`].map(mode)).toEqual([0o600, 0o600, 0o600]);
  await store.close();
  remove();
});

test('an existing database keeps its permissions', async () => {
  const { path, remove } = scratchFile();
  await (await openSqliteStore({ path })).close();
  chmodSync(path, 0o640);
  await (await openSqliteStore({ path })).close();
  expect(mode(path)).toBe(0o640);
  remove();
});

test('databases in memory begin as copies of a file, and share nothing with it or each other', async () => {
  const { path, remove } = scratchFile();
  const original = await openSqliteStore({ path });
  const project = aProject();
  await original.store.insertProject(project);
  await original.close();
  const contents = readFileSync(path);
  const [one, other] = [
    await openSqliteStore({ path: ':memory:', contents }),
    await openSqliteStore({ path: ':memory:', contents }),
  ];
  await one.store.insertProject(aProject());
  expect(await one.store.listProjects()).toHaveLength(2);
  expect(await other.store.listProjects()).toEqual([project]);
  await one.close();
  await other.close();
  expect(readFileSync(path)).toEqual(contents);
  remove();
});
