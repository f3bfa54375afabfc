import { createMemoryStore } from '@subrail/adapters/memory';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { RateLimit, Store } from '@subrail/core/ports';
import { inject } from 'vitest';
import { openPostgresTestStore } from './postgres-test-store.js';

/** The kinds of stores that a test opens. On `postgres` is every one of them in a project of tests that is run on PostgreSQL. */
export type TestStoreKind = 'memory' | 'sqlite' | 'postgres';

/** Which store a test world uses: a new one of a kind, or one that the test opened and closes itself. */
export type TestStoreChoice = TestStoreKind | Store;

/** The kinds of stores that a test is repeated on which shows the same on each of them. */
export function everyTestStore(): readonly TestStoreKind[] {
  return inject('postgresForEveryStore') === undefined ? ['memory', 'sqlite'] : ['postgres'];
}

export interface TestStore {
  readonly store: Store;
  /** Counts calls over all hosts that share the database; absent where each host counts for itself. */
  readonly rateLimit?: RateLimit;
  readonly close: () => Promise<void>;
}

/**
 * Opens a store for a test. In a project of tests that is run on PostgreSQL, every new store is one on PostgreSQL.
 *
 * @param path where the SQLite store's file is; stores that a test opens with one path have the same records
 */
export async function openTestStore(
  choice: TestStoreChoice = 'memory',
  path = ':memory:',
): Promise<TestStore> {
  if (typeof choice === 'object') return { store: choice, close: () => Promise.resolve() };
  const server = inject('postgresForEveryStore');
  if (server !== undefined) return openPostgresTestStore(server, path);
  if (choice === 'postgres') throw new Error('This project of tests has no server of PostgreSQL.');
  if (choice === 'sqlite') return openSqliteStore({ path });
  return { store: createMemoryStore(), close: () => Promise.resolve() };
}
