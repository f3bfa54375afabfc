// Heavy: the whole kit of stores, with a file for each test.

import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { rawSqlite } from './raw-sqlite.js';
import { scratchFile } from './scratch.js';

describe('the Store port on SQLite, with two connections on one file', () => {
  storeConformance(test, async () => {
    const { path, remove } = scratchFile();
    const connections = [await openSqliteStore({ path }), await openSqliteStore({ path })] as const;
    const opened = new Set<(typeof connections)[number]>(connections);
    const raw = rawSqlite(path);
    const disconnect = async () => {
      for (const { close } of opened) await close();
      opened.clear();
    };
    return {
      store: connections[0].store,
      peer: connections[1].store,
      raw,
      async reopen() {
        await disconnect();
        const again = await openSqliteStore({ path });
        opened.add(again);
        return again.store;
      },
      async close() {
        raw.close();
        await disconnect();
        remove();
      },
    };
  });
});
