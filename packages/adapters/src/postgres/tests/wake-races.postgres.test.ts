import { aCommit, aSubscription, MADE_AT } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { untilOneWaits } from './until-one-waits.js';
import { useDatabase } from './use-database.js';
import { storedPlan } from '../../tests/stored-plan.js';

const { open, operator } = useDatabase();
const LEASED_UNTIL = new Date(MADE_AT.getTime() + 60_000);

test('a subscription that ends while those of its plan are woken stays asleep', async () => {
  const store = await open();
  const other = await operator();
  const { project, plan } = await storedPlan(store);
  const of = { projectId: project.id, planId: plan.id, wakeAt: LEASED_UNTIL };
  const [ending, running] = [aSubscription(of), aSubscription(of)];
  await store.commit([aCommit(ending), aCommit(running)]);

  await other.query('begin');
  await other.query(
    "update subscriptions set status = 'ended', wake_at = null, version = version + 1 where id = $1",
    [ending.id],
  );
  const waking = store.wakeSubscribers(plan.id, MADE_AT, 10);
  await untilOneWaits(other);
  await other.query('commit');
  expect(await waking).toBe(2);
  const stored = (id: typeof ending.id) => store.findSubscription(project.id, id);
  expect(await stored(ending.id)).toMatchObject({ status: 'ended', wakeAt: null, nextCheckAt: null });
  expect(await stored(running.id)).toMatchObject({ wakeAt: MADE_AT, nextCheckAt: MADE_AT });
});

test('a subscription that another host claims while a host looks for what is due is left to that host', async () => {
  const store = await open();
  const other = await operator();
  const { project, plan } = await storedPlan(store);
  const due = aSubscription({ projectId: project.id, planId: plan.id, wakeAt: MADE_AT });
  await store.commit([aCommit(due)]);

  await other.query('begin');
  // The lock of the table waits between the look and the claim. That of a row would be skipped.
  await other.query('lock table subscriptions in exclusive mode');
  const claim = store.claimDue(MADE_AT, 10, 60_000);
  await untilOneWaits(other);
  await other.query('update subscriptions set wake_at = $1, version = version + 1 where id = $2', [
    LEASED_UNTIL.getTime(),
    due.id,
  ]);
  await other.query('commit');
  expect(await claim).toEqual({ claimed: [], unreadable: [] });
});
