import { existsSync } from 'node:fs';
import type { Database as OpenFile } from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Database } from '../kysely/index.js';
import type { MoveSource } from '../kysely/move/ends.js';
import { SqliteDialect } from './dialect.js';
import { sqliteTraits } from '../kysely/engines/sqlite.js';
import { codeOf } from '../kysely/engines/error-codes.js';
import { DatabaseFileError } from './faults.js';
import { openFile, refuseMissingFiles } from './file.js';
import type { SqliteOptions } from './open.js';

/**
 * Opens a SQLite file to move its records to a PostgreSQL database.
 *
 * @throws DatabaseFileError when there is no such file, it cannot be opened, or it is no SQLite database
 * @example
 * import { moveRecords, type MoveTarget } from '@subrail/adapters/kysely';
 *
 * async function moveFrom(path: string, target: MoveTarget) {
 *   const source = await openMovableSqlite({ path });
 *   try {
 *     await moveRecords(source, target);
 *   } finally {
 *     await source.close();
 *   }
 * }
 */
export async function openMovableSqlite({ path, busyTimeoutMs = 5000 }: SqliteOptions): Promise<MoveSource> {
  if (path !== ':memory:') {
    refuseMissingFiles(path);
    if (!existsSync(path))
      throw new DatabaseFileError(`There is no database at ${path}. Give the path that your hosts open.`);
  }
  const file = await openFile(path, busyTimeoutMs);
  // Before the dialect notes the files next to the database, which this creates anew.
  const inUse = isInUse(file);
  const dialect = new SqliteDialect(file, busyTimeoutMs);
  return {
    db: new Kysely<Database>({ dialect }),
    traits: sqliteTraits,
    isInUse: inUse,
    close: () => dialect.close(),
  };
}

/** Whether another connection has the file open. Only the last one can end the WAL mode. */
function isInUse(file: OpenFile): boolean {
  try {
    return file.pragma('journal_mode = DELETE', { simple: true }) !== 'delete';
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    file.pragma('journal_mode = WAL');
    // Only a read creates the files next to the database.
    file.prepare('select count(*) from sqlite_schema').get();
  }
}
