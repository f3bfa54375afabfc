import { createMemoryStore } from '@subrail/adapters/memory';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { FullStore } from '@subrail/core/ports';
import { inject } from 'vitest';
import { IN_MEMORY, keepStore, openCopy, type KeptStore, type TestStore } from './copied-stores.js';
import { openPostgresTestStore } from './postgres-test-store.js';

/** The kinds of stores that a test opens. Projects that run on PostgreSQL open every store on `postgres`. */
export type TestStoreKind = 'memory' | 'sqlite' | 'postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where every new store of the project's tests is, whatever they choose; undefined where they choose. */
    everyStore: { readonly kind: 'postgres'; readonly server: string } | undefined;
  }
}

/** Which store a test world uses: a new one of a kind, or one that the test opened and closes itself. */
export type TestStoreChoice = TestStoreKind | FullStore;

/** The kinds of stores that a long test is repeated on. */
export function everyTestStore(): readonly TestStoreKind[] {
  const every = inject('everyStore');
  return every === undefined ? ['memory', 'sqlite'] : [every.kind];
}

let empty: Promise<KeptStore> | null = null;

/** An empty store, kept because to create its tables takes longer than many tests. */
function emptySqlite(): Promise<KeptStore> {
  return (empty ??= keepStore('sqlite', null, () => Promise.resolve()).then(({ store }) => store));
}

/**
 * Opens a store for a test. In a project of tests that is run on PostgreSQL, every new store is one there.
 *
 * @param path where the SQLite store's file is; stores that a test opens with one path have the same records
 */
export async function openTestStore(
  choice: TestStoreChoice = 'memory',
  path = IN_MEMORY,
): Promise<TestStore> {
  if (typeof choice === 'object') return { store: choice, close: () => Promise.resolve() };
  const every = inject('everyStore');
  if (every !== undefined) return openPostgresTestStore(every.server, path);
  if (choice === 'postgres') throw new Error('This project of tests has no server of PostgreSQL.');
  if (choice === 'sqlite')
    return path === IN_MEMORY ? openCopy(await emptySqlite()) : openSqliteStore({ path });
  return { store: createMemoryStore(), close: () => Promise.resolve() };
}
