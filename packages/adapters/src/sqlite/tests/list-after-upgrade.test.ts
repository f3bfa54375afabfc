import { aCommit, anEvent, aPlan, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { scratchFile } from './scratch.js';

const HOUR = 3_600_000;
const after = (hours: number) => new Date(MADE_AT.getTime() + hours * HOUR);

test('events of a release that kept no dates for the end of a list are listed below an older one that was held', async () => {
  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id, hasHeldEvents: true });
  const of = { projectId: project.id, subscriptionId: subscription.id };
  const held = anEvent({ ...of, sequence: 1, createdAt: after(0), data: null, heldState: {} });
  const another = aSubscription({ projectId: project.id, planId: plan.id });
  const recent = anEvent({ projectId: project.id, subscriptionId: another.id, createdAt: after(2) });
  await store.commit([aCommit(subscription, { events: [held] }), aCommit(another, { events: [recent] })]);
  const file = new SqliteFile(path);
  file.exec('update events set latest_at = null; update event_positions set latest_at = null');
  file.close();

  await store.releaseEvents(subscription.id, new Map([[held.id, {}]]), after(3));
  const everything = { type: null, subscriptionId: null };
  const list = async (since: Date) => {
    const page = await store.listEvents(project.id, since, everything, { limit: 9, startingAfter: null });
    return page === 'unknown_cursor' ? page : page.data.map(({ id }) => id);
  };
  expect(await list(after(0))).toEqual([held.id, recent.id]);
  expect(await list(after(1))).toEqual([recent.id]);
  await close();
  remove();
});
