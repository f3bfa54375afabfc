import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/sqlite/index.js';
test('opens', async () => {
  const { store, close } = await openSqliteStore({ path: ':memory:' });
  expect(await store.listProjects()).toEqual([]);
  expect(await store.claimDue(new Date(5), 5, 100)).toEqual([]);
  expect(await store.claimDeliveries(new Date(5), 5, 5, 100)).toEqual([]);
  await store.transaction(async (tx) => { expect(await tx.listProjects()).toEqual([]); });
  await close();
});
