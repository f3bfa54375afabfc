// Heavy: the whole kit of stores, with a file for each test.

import { readFileSync } from 'node:fs';
import { storeConformance } from '@subrail/core/testing';
import { describe, expect, it, test } from 'vitest';
import { postgresTraits, sqliteTraits } from '../index.js';
import { rawSqlite } from '../../sqlite/tests/raw-sqlite.js';
import { scratchFile } from '../../sqlite/tests/scratch.js';
import { openWaitingSqlite } from './waiting-sqlite.js';

const page = readFileSync(new URL('../../../../../docs/adapters.md', import.meta.url), 'utf8');

describe('docs/adapters.md, on a database with a Kysely dialect', () => {
  it.each([
    ['sqlite', sqliteTraits],
    ['postgres', postgresTraits],
  ] as const)('explains every trait that %s has', (_, traits) => {
    const begin = page.indexOf('| Trait | What it says |');
    const rows = page.slice(begin, page.indexOf('\n\n', begin)).matchAll(/^\| `(\w+)(?:\(error\))?` \|/gm);
    expect(Array.from(rows, ([, name]) => name).sort()).toEqual(Object.keys(traits).sort());
  });
});

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
