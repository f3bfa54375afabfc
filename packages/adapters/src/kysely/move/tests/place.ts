import type { Store } from '@subrail/core/ports';
import { openMovableSqlite, openSqliteStore } from '../../../sqlite/index.js';
import { scratchFile } from '../../../sqlite/tests/scratch.js';
import type { MovableDatabase } from '../movable-database.js';

/** A database that a test may open as a host does and as a move does. It is empty at first. */
export interface Place {
  /** What opens it in another process: the path of a file, or the address of a database on PostgreSQL. */
  readonly address: string;
  openStore(): Promise<{ readonly store: Store; readonly close: () => Promise<void> }>;
  openMovable(): Promise<MovableDatabase>;
  remove(): Promise<void>;
}

/** A new SQLite file. */
export async function sqlitePlace(): Promise<Place> {
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
