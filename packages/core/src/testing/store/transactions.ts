import type { StoreOperations } from '../../ports/store.js';
import { aCommit, aPlan, aProject, aSubscription } from '../records.js';
import { raced, refused, same } from './judge.js';
import type { Promises } from './subject.js';
import { aStoredSubscription, aWorld, committed, next, of } from './world.js';

/** Several operations as one. */
export const transactions: Promises = {
  'everything of a transaction is stored, and its answer given': async ({ store, raw }) => {
    const project = aProject();
    const plan = aPlan({ projectId: project.id });
    const answer = await store.transaction(async (operations) => {
      await operations.insertProject(project);
      await operations.insertPlan(plan);
      same(await operations.findPlan(plan.id), plan, 'what the transaction itself wrote');
      return 'done';
    });
    same(answer, 'done', 'the answer');
    same([await raw.count('projects'), await raw.count('plans')], [1, 1], 'the rows');
  },

  'a transaction that throws leaves nothing, and its error arrives': async ({ store, raw }) => {
    const world = await aWorld(store);
    const before = await aStoredSubscription(store, world);
    const fault = new Error('the work failed');
    const caught = await store
      .transaction(async (operations) => {
        await operations.insertProject(aProject());
        await committed(
          operations,
          aCommit(next(before, { status: 'unpaid' })),
          aCommit(aSubscription(of(world))),
        );
        throw fault;
      })
      .catch((error: unknown) => error);
    same(caught === fault, true, 'the error is the one that was thrown');
    same([await raw.count('projects'), await raw.count('subscriptions')], [1, 1], 'the rows');
    same(await store.findSubscription(before.projectId, before.id), before, 'the subscription');
  },

  'a lost commit takes back only itself, and the transaction goes on': async ({ store, raw }) => {
    const world = await aWorld(store);
    const stale = await aStoredSubscription(store, world);
    await committed(store, aCommit(next(stale)));
    const [before, after] = [aSubscription(of(world)), aSubscription(of(world))];
    await store.transaction(async (operations) => {
      await committed(operations, aCommit(before));
      const lost = await operations.commit([aCommit(aSubscription(of(world))), aCommit(next(stale))]);
      same(lost, 'lost', 'the stale commit');
      await committed(operations, aCommit(after));
    });
    same(await raw.count('subscriptions'), 3, 'the stale one, and the ones before and after it');
    same(await store.findSubscription(after.projectId, after.id), after, 'the one after');
  },

  'operations of a transaction may run at once, and a lost one takes nothing of the others': async ({
    store,
    raw,
  }) => {
    const world = await aWorld(store);
    const stale = await aStoredSubscription(store, world);
    await committed(store, aCommit(next(stale)));
    await store.transaction(async (operations) => {
      const answers = await Promise.all([
        operations.commit([aCommit(aSubscription(of(world)))]),
        operations.commit([aCommit(aSubscription(of(world))), aCommit(next(stale))]),
        operations.insertPlan(aPlan({ projectId: world.project.id })),
        operations.commit([aCommit(aSubscription(of(world)))]),
      ]);
      same(answers, ['committed', 'lost', 'inserted', 'committed'], 'the answers');
    });
    same([await raw.count('subscriptions'), await raw.count('plans')], [3, 2], 'the rows');
  },

  'nobody outside sees half of a transaction, and nobody waits for ever': async ({ store, peer }) => {
    const world = await aWorld(store);
    const rows = [aSubscription(of(world)), aSubscription(of(world))];
    const [halfway, gate] = [signal(), signal()];
    const running = store.transaction(async (operations) => {
      for (const row of rows) {
        await committed(operations, aCommit(row));
        halfway.give();
        await gate.given;
      }
    });
    await halfway.given;
    const count = async (through: StoreOperations) => {
      const found = await Promise.all(rows.map((row) => through.findSubscription(row.projectId, row.id)));
      return found.filter((row) => row !== null).length;
    };
    const outside = store.listForAccess(world.project.id, { by: 'wallet', value: 'nobody' }, null);
    same(await outsideOf(peer, store, () => count(peer)), 0, 'rows seen by another connection meanwhile');
    gate.give();
    await running;
    same(await outside, [], 'who asked meanwhile is answered');
    same([await count(store), await count(peer)], [2, 2], 'rows seen afterwards');
  },

  'an operation kept past its transaction is refused': async ({ store, raw }) => {
    let kept: StoreOperations | null = null;
    await store.transaction(async (operations) => {
      kept = operations;
    });
    const late = kept as StoreOperations | null;
    await refused(late?.insertProject(aProject()) ?? Promise.resolve(), 'a write after the end');
    same(await raw.count('projects'), 0, 'the rows');
  },

  'transactions at once lose no write': async (subject) => {
    const { plan } = await aWorld(subject.store);
    const answers = await raced(subject, 10, (store) =>
      store.transaction(async (operations) => {
        const read = await operations.findPlan(plan.id);
        if (read === null) throw new Error('Broken: the plan is there');
        return operations.updatePlan({ ...read, version: read.version + 1 });
      }),
    );
    const updated = answers.filter((answer) => answer === 'updated').length;
    same((await subject.raw.plan(plan.id))?.version, 1 + updated, 'each update counted once');
    same(updated > 0, true, 'somebody updated');
  },
};

/** What another connection sees. With only one, whoever asks during a transaction waits for its end: nothing to see. */
async function outsideOf(peer: object, store: object, look: () => Promise<number>): Promise<number> {
  return peer === store ? 0 : look();
}

/** Something to wait for. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
