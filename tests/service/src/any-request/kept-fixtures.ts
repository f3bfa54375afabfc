import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type MemoryStore } from '@subrail/adapters/memory';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { Store } from '@subrail/core/ports';
import SqliteFile from 'better-sqlite3';

import type { Kept, Rows } from './served.js';
import { buildStage } from './fixtures.js';

/** A stage with what it wrote, to be removed when nobody begins from it any more. */
export interface KeptStage extends Kept {
  forget(): Promise<void>;
}

async function keep(
  store: Store,
  openRows: (folder: string) => Promise<() => Promise<Rows>>,
): Promise<KeptStage> {
  const folder = await mkdtemp(join(tmpdir(), 'subrail-stage-'));
  const stage = await buildStage(store);
  await stage.world.close();
  const chainFile = join(folder, 'chain');
  await stage.world.chain.save(chainFile);
  const forget = () => rm(folder, { recursive: true });
  return { stage, chainFile, openRows: await openRows(folder), forget };
}

interface AnyTable {
  all(): unknown[];
  put(rows: unknown[]): unknown;
}

function tablesOf(tables: MemoryStore['tables']): readonly (readonly [name: string, table: AnyTable])[] {
  return Object.entries(tables) as unknown as readonly [string, AnyTable][];
}

/** The stage over the memory store. Its rows are values that nothing changes in place: a copy holds the same ones. */
export function keepInMemory(): Promise<KeptStage> {
  const built = createMemoryStore();
  return keep(built, () => {
    const rows = new Map(tablesOf(built.tables).map(([name, table]) => [name, table.all()]));
    return Promise.resolve(() => {
      const store = createMemoryStore();
      const tables = tablesOf(store.tables);
      for (const [name, table] of tables) table.put(rows.get(name) ?? []);
      return Promise.resolve({
        store,
        all: () => tables.flatMap(([name, table]) => (name === 'apiKeys' ? [] : table.all())),
        close: () => Promise.resolve(),
      });
    });
  });
}

/** The stage over SQLite: each copy is a copy of the file. */
export async function keepInSqlite(): Promise<KeptStage> {
  const built = await mkdtemp(join(tmpdir(), 'subrail-built-'));
  const original = join(built, 'rows');
  const { store, close } = await openSqliteStore({ path: original });
  let copies = 0;
  const kept = await keep(store, async (folder) => {
    await close();
    return async () => {
      const path = join(folder, `rows-${++copies}`);
      await copyFile(original, path);
      return openCopy(path);
    };
  });
  return {
    ...kept,
    async forget() {
      await kept.forget();
      await rm(built, { recursive: true });
    },
  };
}

async function openCopy(path: string): Promise<Rows> {
  const { store, close } = await openSqliteStore({ path });
  const reader = new SqliteFile(path, { readonly: true });
  const names = reader
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name <> 'api_keys'")
    .pluck()
    .all();
  const reads = names.map((name) => reader.prepare(`select * from "${name}"`));
  let seen: { readonly version: unknown; readonly rows: readonly string[] } | null = null;
  return {
    store,
    all() {
      // Counts what other connections committed: until it moves, the rows are those that were read.
      const version = reader.pragma('data_version', { simple: true });
      if (seen === null || seen.version !== version) {
        const rows = reads.flatMap((read) => read.all().map((row) => JSON.stringify(row)));
        seen = { version, rows };
      }
      return seen.rows;
    },
    async close() {
      reader.close();
      await close();
      await rm(path);
    },
  };
}
