import { aCommit, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';

const NOW = new Date('2027-01-01T00:00:00.000Z');

test('a damaged row is claimed as unreadable, with its id and the cause, beside those that can be read', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const [damaged, ...others] = [1, 2, 3].map(() => aSubscription({ projectId: project.id, planId: plan.id }));
  await store.commit([damaged, ...others].map((row) => aCommit(row ?? aSubscription())));
  const file = new SqliteFile(path);
  file.prepare('update subscriptions set paid_amount = ? where id = ?').run('many', damaged?.id);
  file.close();

  const { claimed, unreadable } = await store.claimDue(NOW, 10, 60_000);
  expect(claimed.map(({ subscription }) => subscription.id).sort()).toEqual(
    others.map(({ id }) => id).sort(),
  );
  expect(unreadable).toEqual([
    { id: damaged?.id, error: new SyntaxError('Cannot convert many to a BigInt') },
  ]);
  // It is leased like the others.
  expect(await store.claimDue(NOW, 10, 60_000)).toEqual({ claimed: [], unreadable: [] });
  await close();
  remove();
});
