import type { Commit, FullStore, FullStoreOperations } from '@subrail/core/ports';
import { createMemoryStore, type MemoryStore } from '../index.js';
import type { Tables } from '../tables.js';

/** A promise that a store breaks, as the kit's test that must fail, and the memory store that breaks it. */
export interface BrokenStore {
  readonly promise: string;
  readonly fault: string;
  readonly create: () => MemoryStore;
}

export type Replace = (operations: FullStoreOperations, tables: Tables) => Partial<FullStoreOperations>;

/** The memory store with some operations replaced, also those of its transactions. */
export function replacing(replace: Replace): () => MemoryStore {
  return () => {
    const store = createMemoryStore();
    return {
      ...store,
      ...replace(store, store.tables),
      transaction: (work) =>
        store.transaction((operations) => work({ ...operations, ...replace(operations, store.tables) })),
    };
  };
}

/** The memory store with another way to run transactions. */
export const transacting =
  (transaction: (store: MemoryStore) => FullStore['transaction']): (() => MemoryStore) =>
  () => {
    const store = createMemoryStore();
    return { ...store, transaction: transaction(store) };
  };

/** The memory store without one of its unique indexes: it stores what the index would refuse. */
export function withoutUnique<Name extends keyof Tables>(
  name: Name,
  unique: NonNullable<ReturnType<Tables[Name]['conflict']>>,
): () => MemoryStore {
  return () => {
    const store = createMemoryStore();
    const table = store.tables[name] as { conflict: (...entries: readonly unknown[]) => string | null };
    const conflict = table.conflict.bind(table);
    table.conflict = (...entries) => {
      const found = conflict(...entries);
      return found === unique ? null : found;
    };
    return store;
  };
}

/** Commits each change after changing it. */
export const changing =
  (change: (given: Commit, tables: Tables) => Commit): Replace =>
  (operations, tables) => ({
    commit: (changes) => operations.commit(changes.map((given) => change(given, tables))),
  });

type ListOf<Name> = Name extends keyof FullStoreOperations
  ? Awaited<ReturnType<FullStoreOperations[Name]>> extends readonly unknown[]
    ? Name
    : never
  : never;

/** Returns a list in the reverse order. */
export const reversing =
  (name: ListOf<keyof FullStoreOperations>): Replace =>
  (operations) => {
    const list = operations[name].bind(operations) as (...args: unknown[]) => Promise<readonly unknown[]>;
    return { [name]: async (...args: unknown[]) => [...(await list(...args))].reverse() };
  };

/** A store that shows what an open transaction wrote to everyone. */
export function dirtyReads(store: MemoryStore): MemoryStore {
  let open: FullStoreOperations | null = null;
  return {
    ...store,
    listByWalletAndPlan: (...args) => (open ?? store).listByWalletAndPlan(...args),
    transaction: (work) =>
      store.transaction(async (operations) => {
        open = operations;
        try {
          return await work(operations);
        } finally {
          open = null;
        }
      }),
  };
}
