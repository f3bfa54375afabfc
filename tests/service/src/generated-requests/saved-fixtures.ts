import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@subrail/adapters/memory';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import type { FullStore } from '@subrail/core/ports';
import { emptyDatabase, openRowReader, type EmptyDatabase, type Rows } from '@subrail/test-postgres';
import { copyMemoryStore, openPostgresStoreAt, tablesOf, type TestStoreKind } from '@subrail/test-world';
import SqliteFile from 'better-sqlite3';
import { inject } from 'vitest';

import type { SavedFixtures, InspectedStore } from './service-copy.js';
import { buildFixtures } from './fixtures.js';

/** Saved fixtures with the files they wrote, to be removed after the last run. */
export interface RemovableFixtures extends SavedFixtures {
  remove(): Promise<void>;
}

async function save(
  store: FullStore,
  openStore: (folder: string) => Promise<() => Promise<InspectedStore>>,
): Promise<RemovableFixtures> {
  const folder = await mkdtemp(join(tmpdir(), 'subrail-fixtures-'));
  const fixtures = await buildFixtures(store);
  await fixtures.world.close();
  const remove = () => rm(folder, { recursive: true });
  return { fixtures, localnet: fixtures.world.localnet, openStore: await openStore(folder), remove };
}

/** Saves the fixtures of a memory store. */
function saveInMemory(): Promise<RemovableFixtures> {
  const built = createMemoryStore();
  return save(built, () =>
    Promise.resolve(async () => {
      const store = await copyMemoryStore(built);
      const tables = tablesOf(store);
      return {
        store,
        rows: async () => tables.flatMap(([name, table]) => (name === 'apiKeys' ? [] : table.all())),
        close: () => Promise.resolve(),
      };
    }),
  );
}

/** Saves the fixtures of a SQLite store. Each copy is a copy of the file. */
async function saveInSqlite(): Promise<RemovableFixtures> {
  const built = await mkdtemp(join(tmpdir(), 'subrail-built-'));
  const original = join(built, 'rows');
  const { store, close } = await openSqliteStore({ path: original });
  let copies = 0;
  const saved = await save(store, async (folder) => {
    await close();
    return async () => {
      const path = join(folder, `rows-${++copies}`);
      await copyFile(original, path);
      return openCopy(path);
    };
  });
  return {
    ...saved,
    async remove() {
      await saved.remove();
      await rm(built, { recursive: true });
    },
  };
}

async function openCopy(path: string): Promise<InspectedStore> {
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
    async rows() {
      // Counts the commits of other connections. Until it moves, the rows read last are still current.
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

/** Saves the fixtures of a PostgreSQL store. Each copy is a copy of the database. */
async function saveInPostgres(): Promise<RemovableFixtures> {
  const every = inject('everyStore');
  if (every?.kind !== 'postgres') throw new Error('This project of tests has no server of PostgreSQL.');
  const original = await emptyDatabase(every.server);
  const { store, close } = await openPostgresStoreAt(original.url);
  const saved = await save(store, async () => {
    await close();
    return async () => openDatabaseCopy(await emptyDatabase(every.server, original.url));
  });
  return {
    ...saved,
    async remove() {
      await saved.remove();
      await original.drop();
    },
  };
}

async function openDatabaseCopy(database: EmptyDatabase): Promise<InspectedStore> {
  const { store, close } = await openPostgresStoreAt(database.url);
  const reader = await openRowReader(database.url);
  let seen: { readonly read: Rows; readonly rows: readonly string[] } | null = null;
  return {
    store,
    async rows() {
      const read = await reader.read();
      if (seen?.read !== read) {
        const { api_keys: _, ...others } = read;
        seen = {
          read,
          rows: Object.values(others).flatMap((rows) => rows.map((row) => JSON.stringify(row))),
        };
      }
      return seen.rows;
    },
    async close() {
      await reader.close();
      await close();
      await database.drop();
    },
  };
}

const SAVES: Readonly<Record<TestStoreKind, () => Promise<RemovableFixtures>>> = {
  memory: saveInMemory,
  sqlite: saveInSqlite,
  postgres: saveInPostgres,
};

/** Builds the fixtures in a new store of a kind, and saves them. */
export function saveFixtures(kind: TestStoreKind): Promise<RemovableFixtures> {
  return SAVES[kind]();
}
