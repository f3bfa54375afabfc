import type { FullStore } from '@subrail/core/ports';
import { emptyDatabase } from '@subrail/test-postgres';
import { openMovablePostgres, openPostgresStore } from '../../../postgres/index.js';
import { openMovableSqlite, openSqliteStore } from '../../../sqlite/index.js';
import { scratchFile } from '../../../sqlite/tests/scratch.js';
import type { MoveSource, MoveTarget } from '../ends.js';

/** A database that a test may open as a host does and as one end of a move. It is empty at first. */
export interface Place<End> {
  /** What opens it in another process: the path of a file, or the address of a database on PostgreSQL. */
  readonly address: string;
  openStore(): Promise<{ readonly store: FullStore; readonly close: () => Promise<void> }>;
  openMovable(): Promise<End>;
  remove(): Promise<void>;
}

/** A new SQLite file. */
export function sqlitePlace(): Place<MoveSource> {
  const { path, remove } = scratchFile();
  return {
    address: path,
    openStore: () => openSqliteStore({ path }),
    openMovable: () => openMovableSqlite({ path }),
    remove: async () => {
      remove();
    },
  };
}

/** A new database on a server of PostgreSQL. */
export async function postgresPlace(server: string): Promise<Place<MoveTarget>> {
  const database = await emptyDatabase(server);
  const { url } = database;
  return {
    address: url,
    openStore: () => openPostgresStore({ url }),
    openMovable: () => openMovablePostgres({ url }),
    remove: () => database.drop(),
  };
}
