import { PGlite } from '@electric-sql/pglite';
import type { FullStore } from '@subrail/core/ports';
import { Kysely } from 'kysely';
import { createKyselyStore, migrate, type Database } from '../kysely/index.js';
import { closingAfterAll } from '../guard-operations.js';
import { postgresDialect, postgresTraits } from '../kysely/engines/postgres.js';
import { refuseOtherSchema } from '../kysely/engines/postgres-first-schema.js';
import { refuseChangedSchema } from '../kysely/engines/postgres-schema.js';
import { PgliteDriver } from './driver.js';

/** Where the data of the database is. */
export interface PgliteOptions {
  /**
   * A folder, created when it is missing, or what else PGlite takes, such as `idb://subrail` in a browser.
   * Use a folder in one process at a time: PGlite does not guard it. `memory://` ends when the store is
   * closed.
   */
  readonly dataDir: string;
}

/**
 * Opens a store in a PGlite database, PostgreSQL inside this process, and migrates it to the schema of this
 * release: for tests, and for apps of one process that want the SQL of PostgreSQL without a server.
 *
 * @returns the store, and `close`, which waits for earlier operations and then closes the database; later
 * operations throw `Unavailable`
 * @throws SchemaDriftError when a newer release migrated the database, or its tables, indexes or triggers are
 * not as the migrations made them
 * @example
 * const { store, close } = await openPgliteStore({ dataDir: './subrail-data' });
 */
export async function openPgliteStore({ dataDir }: PgliteOptions): Promise<OpenedStore> {
  // A commit is in the folder before it is answered.
  return openStoreOn(await PGlite.create({ dataDir, relaxedDurability: false }));
}

type OpenedStore = Readonly<{ store: FullStore; close: () => Promise<void> }>;

/** Opens the store on a database that it owns, and closes. */
export async function openStoreOn(pglite: PGlite): Promise<OpenedStore> {
  const driver = new PgliteDriver(pglite);
  const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
  const close = () => driver.destroy();
  try {
    await refuseOtherSchema(db);
    await migrate(db, postgresTraits);
    await refuseChangedSchema(db);
  } catch (error) {
    await close();
    throw error;
  }
  return closingAfterAll(createKyselyStore(db, postgresTraits), close);
}
