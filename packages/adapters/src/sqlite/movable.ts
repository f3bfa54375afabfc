import { rmSync } from 'node:fs';
import SqliteFile, { type Database as OpenFile } from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { Database, MovableDatabase } from '../kysely/index.js';
import { SqliteDialect } from './dialect.js';
import { sqliteTraits } from '../sqlite-engine.js';
import { codeOf } from '../error-code.js';
import { openFile } from './file.js';
import type { SqliteOptions } from './open.js';

const CHANGES = ['insert', 'update', 'delete'] as const;

/**
 * Opens a SQLite file to move its records to another database, or those of another database to it. A missing file is created.
 *
 * @throws DatabaseFileError when the path cannot be opened, or the file is no SQLite database
 * @example
 * import { moveRecords, type MovableDatabase } from '@subrail/adapters/kysely';
 *
 * async function moveFrom(path: string, target: MovableDatabase) {
 *   const source = await openMovableSqlite({ path });
 *   try {
 *     await moveRecords(source, target);
 *   } finally {
 *     await source.close();
 *   }
 * }
 */
export async function openMovableSqlite({
  path,
  busyTimeoutMs = 5000,
}: SqliteOptions): Promise<MovableDatabase> {
  const file = await openFile(path, busyTimeoutMs);
  // Asked before the dialect takes note of the files next to the database, because asking creates them anew.
  const inUse = isInUse(file);
  const dialect = new SqliteDialect(file, busyTimeoutMs);
  return {
    db: new Kysely<Database>({ dialect }),
    traits: sqliteTraits,
    isInUse: () => Promise.resolve(inUse),
    unfitFor: () => Promise.resolve(null),
    lockMove: () => Promise.resolve(path === ':memory:' ? () => Promise.resolve() : lockMove(`${path}-move`)),
    refuseWrites: (table, sentence) =>
      CHANGES.map(
        (change) =>
          `create trigger ${triggerOf(table, change)} before ${change} on ${table} begin select raise(abort, '${sentence}'); end`,
      ),
    allowWrites: (table) => CHANGES.map((change) => `drop trigger if exists ${triggerOf(table, change)}`),
    // Without figures about the tables it chooses the indexes for which the store's statements are written.
    afterCopy: [],
    close: () => dialect.close(),
  };
}

function triggerOf(table: string, change: string): string {
  return `subrail_moved_${table}_${change}`;
}

/** Locks a file next to the database, because the database itself stays readable. The system ends the lock with the process. */
function lockMove(path: string): (() => Promise<void>) | null {
  const lock = new SqliteFile(path, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return async () => {
    rmSync(path, { force: true });
    lock.close();
  };
}

/** Whether another connection has the file open: only the last one can end the WAL mode. */
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
