import { storeConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { openSqliteStore } from '../index.js';
import { rawSqlite } from './raw-sqlite.js';
import { scratchFile } from './scratch.js';

describe('the Store port on SQLite, with two connections on one file', () => {
  storeConformance(test, async () => {
    const { path, remove } = scratchFile();
    const [own, peer] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
    const raw = rawSqlite(path);
    return {
      store: own.store,
      peer: peer.store,
      raw,
      async close() {
        raw.close();
        await own.close();
        await peer.close();
        remove();
      },
    };
  });
});
