import { createMemoryStore } from '../index.js';
import { dirtyReads, replacing, transacting, type BrokenStore } from './break-store.js';

/** Stores whose transactions are not atomic, not isolated, or never over. */
export const BROKEN_TRANSACTIONS: readonly BrokenStore[] = [
  ...[
    'stores nothing of a transaction that throws, and passes on its error',
    'never shows a row of a transaction that throws',
    'keeps racing transactions apart',
  ].map((promise) => ({
    promise,
    fault: 'undoes nothing',
    create: transacting((store) => (work) => work(store)),
  })),
  {
    promise: 'stores nothing of a transaction that throws, and passes on its error',
    fault: 'throws an error of its own',
    create: transacting(
      (store) => (work) =>
        store.transaction(work).catch(() => Promise.reject(new Error('The transaction failed.'))),
    ),
  },
  ...[
    'shows no part of a transaction before it ends, and blocks no caller for ever',
    'never shows a row of a transaction that throws',
  ].map((promise) => ({
    promise,
    fault: 'shows rows before the transaction ends',
    create: () => dirtyReads(createMemoryStore()),
  })),
  {
    promise: 'throws after an ignored failure in a transaction, or writes the rest of it',
    fault: 'undoes it, and returns the result',
    create: transacting((store) => async (work) => {
      let result: Awaited<ReturnType<typeof work>> | null = null;
      let failed = false;
      const undo = new Error('An operation failed.');
      await store
        .transaction(async (operations) => {
          const insertProject: typeof operations.insertProject = (project) =>
            operations.insertProject(project).catch((error: unknown) => {
              failed = true;
              throw error;
            });
          result = await work({ ...operations, insertProject });
          if (failed) throw undo;
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error;
        });
      return result as never;
    }),
  },
  {
    promise: 'undoes only a commit that conflicts, and continues the transaction',
    fault: 'undoes the whole transaction',
    create: transacting(
      (store) => (work) =>
        store.transaction((operations) =>
          work({
            ...operations,
            async commit(changes) {
              const result = await operations.commit(changes);
              if (result === 'lost') throw new Error('A commit conflicted.');
              return result;
            },
          }),
        ),
    ),
  },
  {
    promise: 'refuses an operation after its transaction has ended',
    fault: 'runs it outside of the transaction',
    create: transacting(
      (store) => (work) =>
        store.transaction((operations) =>
          work({
            ...operations,
            insertProject: (project) => Promise.resolve(void store.tables.projects.put([project])),
          }),
        ),
    ),
  },
  {
    promise: 'writes nothing of operations that still run when the work throws',
    fault: 'writes after the transaction was undone',
    create: transacting(
      (store) => (work) =>
        store.transaction((operations) =>
          work({
            ...operations,
            async insertPlan(plan) {
              for (let turn = 0; turn < 100; turn++) await Promise.resolve();
              store.tables.plans.put([plan]);
              return 'inserted';
            },
          }),
        ),
    ),
  },
  {
    promise: 'stores an operation that still ran when the work returned, or rejects it',
    fault: 'answers before it writes, and never does',
    create: transacting(
      (store) => (work) =>
        store.transaction((operations) =>
          work({ ...operations, insertPlan: () => Promise.resolve('inserted') }),
        ),
    ),
  },
  {
    promise: 'loses no write of racing transactions',
    fault: 'stores a plan whatever its version',
    create: replacing((operations, { plans }) => ({
      findPlan: async (id) => {
        const found = await operations.findPlan(id);
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        return found;
      },
      async updatePlan(plan) {
        plans.put([{ ...plan, version: 2 }]);
        return 'updated';
      },
    })),
  },
  {
    promise: 'stores everything that a transaction wrote, and returns its result',
    fault: 'returns nothing',
    create: transacting((store) => async (work) => {
      await store.transaction(work);
      return undefined as never;
    }),
  },
  {
    promise: 'runs operations of a transaction at once, and undoes only a conflict',
    fault: 'runs one commit at a time, and rejects another one',
    create: replacing((operations) => {
      let busy = false;
      return {
        async commit(changes) {
          if (busy) throw new Error('Another commit is running.');
          busy = true;
          const result = await operations.commit(changes);
          busy = false;
          return result;
        },
      };
    }),
  },
];
