// Heavy: the whole kit of stores, with a file for each test.

import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { rawSqlite } from '../../sqlite/tests/raw-sqlite.js';
import { scratchFile } from '../../sqlite/tests/scratch.js';
import { openWaitingSqlite } from './waiting-sqlite.js';

describe("the Store port on Kysely's own dialect of SQLite, with two connections on one file", () => {
  storeConformance(test, async () => {
    const { path, remove } = scratchFile();
    const opened = [await openWaitingSqlite(path), await openWaitingSqlite(path)] as const;
    const raw = rawSqlite(path);
    let open = [...opened];
    const disconnect = async () => {
      for (const opened of open) await opened.close();
      open = [];
    };
    return {
      store: opened[0].store,
      peer: opened[1].store,
      raw,
      async reopen() {
        await disconnect();
        const again = await openWaitingSqlite(path);
        open.push(again);
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
