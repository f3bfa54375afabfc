import { createMemoryStore } from '@subrail/adapters/memory';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { Store } from '@subrail/core/ports';

/** Which store a test world uses: a new one of a kind, or one that the test opened and closes itself. */
export type TestStoreChoice = 'memory' | 'sqlite' | Store;

export interface TestStore {
  readonly store: Store;
  readonly close: () => Promise<void>;
}

/** @param path where the SQLite store's file is */
export async function openTestStore(
  choice: TestStoreChoice = 'memory',
  path = ':memory:',
): Promise<TestStore> {
  if (choice === 'sqlite') return openSqliteStore({ path });
  return { store: choice === 'memory' ? createMemoryStore() : choice, close: () => Promise.resolve() };
}
