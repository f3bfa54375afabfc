import type { FullStore } from '@subrail/core/ports';
import { anApiKey, aProject } from '@subrail/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFile } from '../file.js';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';

const project = aProject();
const key = anApiKey({ projectId: project.id });
const AT = new Date('2026-10-02T08:30:00Z');

let path: string;
let store: FullStore;
let peer: FullStore;
let closeAll: () => Promise<void>;
beforeEach(async () => {
  const folder = scratchFile();
  path = folder.path;
  const [first, second] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
  [store, peer] = [first.store, second.store];
  closeAll = async () => {
    await Promise.all([first.close(), second.close()]);
    folder.remove();
  };
  await store.insertProject(project);
  await store.insertApiKey(key);
  expect(await store.findApiKey(key.hash)).toMatchObject({ key, project });
});
afterEach(() => closeAll());

test('a key is read once while nothing is written', async () => {
  const first = await store.findApiKey(key.hash);
  expect(await store.findApiKey(key.hash)).toBe(first);
});

test.each<[string, (by: FullStore) => Promise<unknown>, object | null]>([
  ['revoked', (by) => by.revokeApiKey(key.id, AT), null],
  ['ended', (by) => by.expireApiKey(key.id, AT), { key: { expiresAt: AT } }],
  ['used', (by) => by.touchApiKey(key.id, AT), { key: { lastUsedAt: AT } }],
  [
    'renamed with its project',
    (by) => by.updateProject({ ...project, name: 'New' }),
    { project: { name: 'New' } },
  ],
  ['deleted with its project', (by) => by.deleteProject(project.id), null],
  [
    'revoked in a transaction',
    (by) => by.transaction((operations) => operations.revokeApiKey(key.id, AT)),
    null,
  ],
])(
  'a key that was %s is found as it is now, by the store that wrote and by another',
  async (_, write, now) => {
    const found = async (by: FullStore) => by.findApiKey(key.hash);
    await found(peer);
    await write(store);
    for (const by of [store, peer]) {
      if (now === null) expect(await found(by)).toBeNull();
      else expect(await found(by)).toMatchObject(now);
    }
  },
);

test('a transaction reads its own writes, and what it undid is not kept', async () => {
  const undone = store.transaction(async (operations) => {
    await operations.revokeApiKey(key.id, AT);
    expect(await operations.findApiKey(key.hash)).toBeNull();
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await store.findApiKey(key.hash)).toMatchObject({ key });
});

test('a write by SQL is seen', async () => {
  const file = await openFile(path, 1_000);
  file.prepare('update projects set name = ?').run('By hand');
  file.close();
  expect(await store.findApiKey(key.hash)).toMatchObject({ project: { name: 'By hand' } });
});

test('a key that is unknown is looked for again', async () => {
  const other = anApiKey({ projectId: project.id });
  expect(await store.findApiKey(other.hash)).toBeNull();
  await store.insertApiKey(other);
  expect(await store.findApiKey(other.hash)).toMatchObject({ key: other });
});
