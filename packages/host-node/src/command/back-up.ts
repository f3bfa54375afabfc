import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { refuseMissingFiles } from '@subrail/adapters/sqlite';
import SqliteFile from 'better-sqlite3';
import { CommandFailed } from './errors.js';

/** A backup that was checked. */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** The number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Progress is told from this size on: smaller copies take no time. */
const LONG_BYTES = 5_000_000;

/** All pages in a step: a write between two restarts the copy, which would never end on a busy host. */
const EVERY_PAGE = 2 ** 31 - 1;

/**
 * Copies a SQLite file that others may be writing, and checks that the copy is whole and has every table. A
 * bad copy is deleted.
 * @param progress is called on the way of a large copy
 * @throws CommandFailed when there is a file at the path, or the copy cannot be made or is damaged
 * @throws DatabaseFileError when the `-wal` of the database is missing, which a host may still write to
 */
export async function backUp(
  database: string,
  file: string,
  progress: (sentence: string) => void,
): Promise<Backup> {
  refuseMissingFiles(database);
  const { size } = statSync(database);
  const report = (sentence: string) => {
    if (size >= LONG_BYTES) progress(sentence);
  };
  createForOwnerOnly(file);
  try {
    const source = new SqliteFile(database, { readonly: true });
    try {
      report(`Copying ${Math.round(size / 1_000_000)} MB.`);
      await source.backup(file, { progress: () => EVERY_PAGE });
      report('Checking the copy.');
      const rows = check(file);
      const missing = tablesOf(source).filter((name) => !(name in rows));
      if (missing.length > 0) throw new CommandFailed(`The backup lacks the tables ${missing.join(', ')}.`);
      return { file, bytes: statSync(file).size, rows };
    } finally {
      source.close();
    }
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    throw error;
  }
}

/** SQLite would follow the umask, and a backup holds every secret of the database. */
function createForOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new CommandFailed(
      isThere
        ? `There is a file ${file} already. Give the path of a new one.`
        : `The file ${file} cannot be created. Check its folder and the permissions.`,
      { cause },
    );
  }
}

function check(file: string): Record<string, number> {
  const copy = new SqliteFile(file);
  try {
    // A file in WAL mode would need the files next to it, which nobody copies along.
    copy.pragma('journal_mode = DELETE');
    const verdict = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok')
      throw new CommandFailed(`The backup is damaged: ${String(verdict)}. Check the disk.`);
    return Object.fromEntries(tablesOf(copy).map((name) => [name, countOf(copy, name)]));
  } finally {
    copy.close();
  }
}

function tablesOf(database: SqliteFile.Database): readonly string[] {
  return database
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
}

function countOf(database: SqliteFile.Database, table: string): number {
  return database.prepare<[], number>(`select count(*) from "${table}"`).pluck().get() ?? 0;
}
