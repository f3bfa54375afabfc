import { openPostgresStore } from '@subrail/adapters/postgres';
import { emptyDatabase, emptyTables, everyRow, type EmptyDatabase, type Rows } from '@subrail/test-postgres';
import { withCallsCounted } from './calls-under-way.js';
import { IN_MEMORY } from './copied-stores.js';

/** The databases of this process that no test uses, emptied. */
const free: EmptyDatabase[] = [];

/** The databases that are in use, by the path at which several stores of a test meet. */
const shared = new Map<string, { readonly database: Promise<EmptyDatabase>; users: number }>();

/** Opens the store of a database on PostgreSQL. A world waits for its calls before it moves time. */
export async function openPostgresStoreAt(url: string): ReturnType<typeof openPostgresStore> {
  const opened = await openPostgresStore({ url });
  return { ...opened, store: withCallsCounted(opened.store) };
}

/**
 * Opens a store on an empty PostgreSQL database, or on that of another store of the test with the same path.
 * Stores at `:memory:` share nothing; a name after it is of data that they share until the last is closed.
 */
export async function openPostgresTestStore(
  server: string,
  path: string,
): ReturnType<typeof openPostgresStore> {
  const isShared = path !== IN_MEMORY;
  const entry = (isShared ? shared.get(path) : undefined) ?? { database: take(server), users: 0 };
  if (isShared) shared.set(path, entry);
  entry.users++;
  const database = await entry.database;
  const { store, close } = await openPostgresStoreAt(database.url);
  let closed: Promise<void> | null = null;
  return {
    store,
    close: () =>
      (closed ??= close().then(async () => {
        if (--entry.users > 0) return;
        // The path of a file keeps its data until its folder is gone, which no test opens again.
        if (!path.startsWith(IN_MEMORY)) return;
        shared.delete(path);
        await emptyTables(database.url);
        free.push(database);
      })),
  };
}

/** Every row of the PostgreSQL database that a test's stores with this path share; null without one. */
export async function everyPostgresRow(path: string): Promise<Rows | null> {
  const entry = shared.get(path);
  return entry === undefined ? null : everyRow((await entry.database).url);
}

async function take(server: string): Promise<EmptyDatabase> {
  return free.pop() ?? emptyDatabase(server);
}
