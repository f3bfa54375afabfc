import type { StoreOperations } from '../../../ports/store.js';
import { expectThat, expectEach, expectEqual, expectRejection } from '../../expect.js';
import { aCommit, aPlan, aProject } from '../../records.js';
import { expectCounts, race } from '../expect.js';
import type { StoreTests } from '../store-under-test.js';
import { type Fixture, mustCommit, nextVersion, storeFixture, subscriptionOf } from '../fixture.js';

/** Turns of an operation before the work ends, so that the end meets its beginning, middle and end. */
const TURNS_OF_OPERATIONS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30];

/** Calls a commit and an insert, lets them run for some turns, and returns their promises. */
async function leaveRunning(
  operations: StoreOperations,
  fixture: Fixture,
  turns: number,
): Promise<readonly Promise<unknown>[]> {
  const running = [
    operations.commit([aCommit(fixture.aSubscription())]),
    operations.insertPlan(aPlan({ projectId: fixture.project.id })),
  ];
  // A refused operation rejects before the test looks at it.
  for (const operation of running) operation.catch(() => undefined);
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  return running;
}

/** A transaction runs several operations as one. */
export const transactionTests: StoreTests = {
  'stores everything that a transaction wrote, and returns its result': async ({ store, raw }) => {
    const project = aProject();
    const plan = aPlan({ projectId: project.id });
    const result = await store.transaction(async (operations) => {
      await operations.insertProject(project);
      await operations.insertPlan(plan);
      expectEqual(await operations.findPlan(plan.id), plan, 'a plan that the transaction itself wrote');
      return 'done';
    });
    expectEqual(result, 'done', 'the result');
    await expectCounts(raw, { projects: 1, plans: 1 });
  },

  'stores nothing of a transaction that throws, and passes on its error': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const before = await fixture.aStoredSubscription();
    const fault = new Error('the work failed');
    const caught = await store
      .transaction(async (operations) => {
        await operations.insertProject(aProject());
        await mustCommit(
          operations,
          aCommit(nextVersion(before, { status: 'unpaid' })),
          aCommit(fixture.aSubscription()),
        );
        throw fault;
      })
      .catch((error: unknown) => error);
    expectThat(caught === fault, 'the error that the work threw', String(caught));
    await expectCounts(raw, { projects: 1, subscriptions: 1 });
    expectEqual(await subscriptionOf(store, before), before, 'the subscription');
  },

  'throws after an ignored failure in a transaction, or writes the rest of it': async ({ store, raw }) => {
    const [taken, other] = [aProject(), aProject()];
    await store.insertProject(taken);
    const end = await store
      .transaction(async (operations) => {
        await operations.insertProject(other);
        await operations.insertProject(aProject({ id: taken.id })).catch(() => undefined);
        return 'written';
      })
      .catch(() => 'refused');
    await expectCounts(raw, { projects: end === 'written' ? 2 : 1 });
    expectEqual(await store.findProject(taken.id), taken, 'the project whose id is taken');
  },

  'undoes only a commit that conflicts, and continues the transaction': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const stale = await fixture.aStoredSubscription();
    await mustCommit(store, aCommit(nextVersion(stale)));
    const [before, after] = [fixture.aSubscription(), fixture.aSubscription()];
    await store.transaction(async (operations) => {
      await mustCommit(operations, aCommit(before));
      const lost = await operations.commit([aCommit(fixture.aSubscription()), aCommit(nextVersion(stale))]);
      expectEqual(lost, 'lost', 'the result of the stale commit');
      await mustCommit(operations, aCommit(after));
    });
    await expectEach(
      [() => raw.count('subscriptions'), 3, 'the number of stored subscriptions'],
      [() => subscriptionOf(store, after), after, 'what the last commit wrote'],
    );
  },

  'runs operations of a transaction at once, and undoes only a conflict': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const stale = await fixture.aStoredSubscription();
    await mustCommit(store, aCommit(nextVersion(stale)));
    await store.transaction(async (operations) => {
      const results = await Promise.all([
        operations.commit([aCommit(fixture.aSubscription())]),
        operations.commit([aCommit(fixture.aSubscription()), aCommit(nextVersion(stale))]),
        operations.insertPlan(aPlan({ projectId: fixture.project.id })),
        operations.commit([aCommit(fixture.aSubscription())]),
      ]);
      expectEqual(results, ['committed', 'lost', 'inserted', 'committed'], 'the results');
    });
    await expectCounts(raw, { subscriptions: 3, plans: 2 });
  },

  'refuses an operation after its transaction has ended': async ({ store, raw }) => {
    let escaped: StoreOperations | null = null;
    await store.transaction(async (operations) => {
      escaped = operations;
    });
    const late = escaped as StoreOperations | null;
    await expectRejection(late?.insertProject(aProject()) ?? Promise.resolve(), 'a write after the end');
    expectEqual(await raw.count('projects'), 0, 'the number of stored projects');
  },

  'writes nothing of operations that still run when the work throws': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    for (const turns of TURNS_OF_OPERATIONS) {
      const left: Promise<unknown>[] = [];
      await store
        .transaction(async (operations) => {
          left.push(...(await leaveRunning(operations, fixture, turns)));
          throw new Error('the work failed');
        })
        .catch(() => undefined);
      await Promise.allSettled(left);
    }
    await expectCounts(raw, { subscriptions: 0, plans: 1 });
  },

  'stores an operation that still ran when the work returned, or rejects it': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    let commits = 0;
    let plans = 0;
    for (const turns of TURNS_OF_OPERATIONS) {
      const left = await store.transaction(async (operations) => ({
        running: await leaveRunning(operations, fixture, turns),
      }));
      const [commit, plan] = await Promise.allSettled(left.running);
      commits += Number(commit?.status === 'fulfilled');
      plans += Number(plan?.status === 'fulfilled');
    }
    await expectCounts(raw, { subscriptions: commits, plans: 1 + plans });
  },

  'loses no write of racing transactions': async (underTest) => {
    const { plan } = await storeFixture(underTest.store);
    const results = await race(underTest, 10, (store) =>
      store.transaction(async (operations) => {
        const read = await operations.findPlan(plan.id);
        expectThat(read !== null, 'the stored plan');
        return operations.updatePlan({ ...read, version: read.version + 1 });
      }),
    );
    const updated = results.filter((result) => result === 'updated').length;
    expectEqual((await underTest.raw.plan(plan.id))?.version, 1 + updated, 'the stored version');
    expectThat(updated > 0, 'at least one update', results);
  },
};
