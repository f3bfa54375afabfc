import type { StoreUnderTest } from '@subrail/core/testing';
import type { FullStore } from '@subrail/core/ports';
import { rawSqlite } from './raw-sqlite.js';
import { scratchFile } from './scratch.js';

interface OpenedStore {
  readonly store: FullStore;
  readonly close: () => Promise<void>;
}

/** Opens two stores on a file of their own, for the kit of stores. */
export async function storesOnOneFile(open: (path: string) => Promise<OpenedStore>): Promise<StoreUnderTest> {
  const { path, remove } = scratchFile();
  const stores = [await open(path), await open(path)] as const;
  const opened = new Set<OpenedStore>(stores);
  const raw = rawSqlite(path);
  const disconnect = async () => {
    for (const { close } of opened) await close();
    opened.clear();
  };
  return {
    store: stores[0].store,
    peer: stores[1].store,
    raw,
    async reopen() {
      await disconnect();
      const again = await open(path);
      opened.add(again);
      return again.store;
    },
    async close() {
      raw.close();
      await disconnect();
      remove();
    },
  };
}
