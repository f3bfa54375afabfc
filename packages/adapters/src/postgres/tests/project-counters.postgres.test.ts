import { aCommit, anEvent, aSubscription } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { untilOneWaits } from './until-one-waits.js';
import { useDatabase } from './use-database.js';
import { storedPlan } from '../../tests/stored-plan.js';

const { open, operator } = useDatabase();

test('a commit takes the positions of its projects in one order, so that no two wait for each other', async () => {
  const store = await open();
  const other = await operator();
  const [one, two] = [await storedPlan(store), await storedPlan(store)];
  const [earlier, later] = one.project.id < two.project.id ? [one, two] : [two, one];
  const commit = () =>
    store.commit(
      [later, earlier].map(({ project, plan }) => {
        const projectId = project.id;
        const subscription = aSubscription({ projectId, planId: plan.id });
        return aCommit(subscription, { events: [anEvent({ projectId, subscriptionId: subscription.id })] });
      }),
    );
  expect(await commit()).toBe('committed');

  const lock = ({ project }: typeof later) =>
    other.query('select 1 from project_counters where project_id = $1 for update nowait', [project.id]);
  await other.query('begin');
  await lock(earlier);
  const waiting = commit();
  await untilOneWaits(other);
  expect((await lock(later)).rowCount).toBe(1);
  await other.query('commit');
  expect(await waiting).toBe('committed');
});
