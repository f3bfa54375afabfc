import { openLocalService, type LocalService, type LocalServiceOptions } from '@subrail/testing/service';

import { storesAnswered } from './calls-under-way.js';
import { openTestStore, type TestStoreChoice } from './test-store.js';

export interface TestServiceOptions extends Omit<LocalServiceOptions, 'store' | 'idle'> {
  /** A new store in memory by default. */
  readonly store?: TestStoreChoice;
  /** Where the SQLite store's file is; in memory by default. */
  readonly path?: string;
}

/** A local service on the store that a test chose, which it closes. */
export async function openTestService({
  store: choice,
  path,
  ...options
}: TestServiceOptions = {}): Promise<LocalService> {
  const { store, close } = await openTestStore(choice, path);
  const service = await openLocalService({ ...options, store, idle: storesAnswered });
  return {
    ...service,
    async close() {
      await close();
      await service.close();
    },
  };
}
