import type { Attempt, Commit } from '@subrail/core/ports';
import type { Tables } from '../tables.js';
import { replacing, type BrokenStore } from './break-store.js';

/** The memory store with other receipts: `receipt` says those of the attempts of each commit. */
function numbering(
  receipt: (attempt: Attempt, place: number, tables: Tables) => Partial<Attempt>,
): BrokenStore['create'] {
  return replacing((operations, tables) => ({
    async commit(changes) {
      const result = await operations.commit(changes);
      const written = result === 'committed' ? attemptsOf(changes, tables) : [];
      tables.attempts.put(written.map((row, place) => ({ ...row, ...receipt(row, place, tables) })));
      return result;
    },
  }));
}

function attemptsOf(changes: readonly Commit[], { attempts }: Tables): readonly Attempt[] {
  return changes.flatMap((change) => change.attempts).flatMap(({ id }) => attempts.get(id) ?? []);
}

const SELLER = 'keeps the last seller of each project as it was written';

/** Stores that break a promise about receipts or sellers. */
export const BROKEN_RECEIPTS: readonly BrokenStore[] = [
  {
    promise: 'numbers the payments of a project in the order of their commits, and nothing else',
    fault: 'numbers what did not pay too',
    create: numbering((_, place) => ({ receiptNumber: place + 1 })),
  },
  {
    promise: 'numbers the payments of a project in the order of their commits, and nothing else',
    fault: 'numbers a commit from its last attempt on',
    create: replacing((operations) => ({ commit: (changes) => operations.commit(changes.toReversed()) })),
  },
  {
    promise: 'numbers the payments of each project for itself',
    fault: 'has one row of numbers for all projects',
    create: numbering(({ outcome }, _, { attempts }) => ({
      receiptNumber: outcome === 'paid' ? attempts.all().length : null,
    })),
  },
  {
    promise: 'gives the number of a commit that was lost or undone to the next payment',
    fault: 'keeps the number of a lost commit',
    create: replacing((operations, { receiptCounters }) => ({
      async commit(changes) {
        const result = await operations.commit(changes);
        if (result === 'lost')
          receiptCounters.put(receiptCounters.all().map((row) => ({ ...row, last: row.last + 1 })));
        return result;
      },
    })),
  },
  {
    promise: 'numbers the payments of many racing callers without a gap or a double',
    fault: 'numbers by what it read before another commit',
    create: replacing((operations, tables) => ({
      async commit(changes) {
        let last = tables.receiptCounters.all()[0]?.last ?? 0;
        await Promise.resolve();
        const result = await operations.commit(changes);
        if (result === 'committed')
          tables.attempts.put(attemptsOf(changes, tables).map((row) => ({ ...row, receiptNumber: ++last })));
        return result;
      },
    })),
  },
  {
    promise: 'keeps the prefix that the seller has at the commit of a payment',
    fault: 'reads the prefix that the seller has now',
    create: replacing((operations, { sellers }) => ({
      async listAttempts(id, page) {
        const listed = await operations.listAttempts(id, page);
        const receiptPrefix = sellers.all().at(-1)?.receiptPrefix ?? null;
        if (listed === 'unknown_cursor') return listed;
        return {
          ...listed,
          data: listed.data.map((row) => (row.outcome === 'paid' ? { ...row, receiptPrefix } : row)),
        };
      },
    })),
  },
  {
    promise: SELLER,
    fault: 'keeps the first seller',
    create: replacing((operations, { sellers }) => ({
      async saveSeller(seller) {
        if (sellers.get(seller.projectId) === null) await operations.saveSeller(seller);
      },
    })),
  },
  {
    promise: SELLER,
    fault: 'finds the seller of another project',
    create: replacing((_, { sellers }) => ({ findSeller: async () => sellers.all()[0] ?? null })),
  },
  {
    promise: SELLER,
    fault: 'keeps one line of an address',
    create: replacing((operations) => ({
      saveSeller: (seller) =>
        operations.saveSeller({ ...seller, address: seller.address?.split('\n')[0] ?? null }),
    })),
  },
  {
    promise: 'keeps one whole seller of many racing callers',
    fault: 'keeps the name of the first caller with the tax id of the last',
    create: replacing((_, { sellers }) => ({
      async saveSeller(seller) {
        const { legalName } = sellers.get(seller.projectId) ?? seller;
        sellers.put([{ ...seller, legalName }]);
      },
    })),
  },
  {
    promise: 'deletes the seller of a project with it, and no other',
    fault: 'keeps the seller of a deleted project',
    create: replacing((operations, { sellers }) => ({
      async deleteProject(id) {
        const seller = sellers.get(id);
        const result = await operations.deleteProject(id);
        if (seller !== null) sellers.put([seller]);
        return result;
      },
    })),
  },
];
