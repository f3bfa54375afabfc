import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import SqliteFile, { type Database } from 'better-sqlite3';
import { againWhileBusy } from './again-while-busy.js';
import { WAL_LIMIT_BYTES } from './checkpoints.js';
import { codeOf } from '../kysely/engines/error-codes.js';
import { asStoreError, DatabaseFileError } from './faults.js';

/**
 * Opens a SQLite file as the store needs it. A missing file is created for its owner only. Throws
 * DatabaseFileError when the path cannot be used or the file is damaged, and `Unavailable` when another
 * process locks it beyond the timeout.
 */
export async function openFile(
  path: string,
  busyTimeoutMs: number,
  contents?: Uint8Array,
): Promise<Database> {
  refuseUnfitDriver();
  try {
    return await againWhileBusy(() => openOnce(path, contents), busyTimeoutMs);
  } catch (error) {
    const sentence = addonFault(error) ?? openingFault(error, path);
    throw sentence === null ? asStoreError(error, path) : new DatabaseFileError(sentence, { cause: error });
  }
}

/** Why a file cannot be opened or filled, and what to do; null for any other error. */
export function openingFault(error: unknown, path: string): string | null {
  return SENTENCES[codeOf(error)]?.(path) ?? null;
}

/** Why the addon of the driver does not load; null for any other error. */
function addonFault(error: unknown): string | null {
  const runtime = 'Bun' in globalThis ? 'Bun' : 'Deno' in globalThis ? 'Deno' : null;
  if (runtime !== null && !codeOf(error).startsWith('SQLITE_'))
    return `better-sqlite3 is an addon of Node, which ${runtime} does not load. Give the address of a PostgreSQL database, or open PGlite.`;
  const isForeign = codeOf(error) === 'ERR_DLOPEN_FAILED';
  const isMissing = error instanceof Error && error.message.startsWith('Could not locate the bindings file');
  if (!isForeign && !isMissing) return null;
  return isForeign
    ? `The addon of better-sqlite3 does not fit this Node, ${process.version} on ${process.platform} ${process.arch}: it was built for another one. Run with this Node: npm rebuild better-sqlite3`
    : 'better-sqlite3 was installed without its addon, as when install scripts are not allowed. Allow its script, and run: npm rebuild better-sqlite3';
}

/** Throws when the driver would end this process silently: from version 13 on it needs Node 22. */
function refuseUnfitDriver(): void {
  const sentence = driverFault(process.versions.node, versionOfDriver);
  if (sentence !== null) throw new DatabaseFileError(sentence);
}

/** Why a driver does not run on a version of Node, and what to do; null when it does. */
export function driverFault(node: string, versionOf: () => string | null): string | null {
  if (major(node) >= 22) return null;
  const driver = versionOf();
  return driver === null || major(driver) < 13
    ? null
    : `better-sqlite3 ${driver} needs Node 22 or newer, and this is Node ${node}. Run: npm install better-sqlite3@12`;
}

const major = (version: string) => Number.parseInt(version, 10);

/** Null in a bundle, which has no package to read. */
function versionOfDriver(): string | null {
  try {
    const { version } = createRequire(import.meta.url)('better-sqlite3/package.json') as { version: string };
    return version;
  } catch {
    return null;
  }
}

function openOnce(path: string, contents?: Uint8Array): Database {
  if (path !== ':memory:') {
    refuseMissingFiles(path);
    refuseLinkToNowhere(path);
    createForOwnerOnly(path);
    refuseReadOnly(path);
  }
  if (contents !== undefined && path !== ':memory:')
    throw new TypeError(
      'A store with contents is in memory: leave its path out of the disk, with ":memory:".',
    );
  const file = new SqliteFile(contents === undefined ? path : withoutWal(contents), { timeout: 0 });
  try {
    configure(file);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Ends the WAL mode, which a database in memory cannot have, in bytes 18 and 19 of the header. */
function withoutWal(contents: Uint8Array): Buffer {
  return Buffer.from(contents).fill(1, 18, 20);
}

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  SQLITE_NOTADB: (path) =>
    `The file ${path} is not a SQLite database, or it is damaged. Give the path of another file, or restore it from a copy.`,
  SQLITE_CORRUPT: (path) =>
    `The database ${path} is damaged. Stop every host, keep the file with those next to it, and restore the newest backup in their place.`,
  SQLITE_FULL: diskFails,
  SQLITE_IOERR_WRITE: diskFails,
  SQLITE_CANTOPEN: cannotBeOpened,
  EACCES: cannotBeOpened,
  ENOENT: (path) => `There is no folder ${dirname(path)} for the database. Create it, or give another path.`,
  ENOSPC: diskFails,
  EROFS: (path) =>
    `The database ${path} is on a disk that can only be read. Make it writable, or give another path.`,
};

function diskFails(path: string): string {
  return `The disk of the database ${path} is full, or cannot be written. Free space on it and start again.`;
}

function cannotBeOpened(path: string): string {
  return `The database ${path} cannot be opened. Check that it is a file, and its permissions and those of its folder.`;
}

function configure(file: Database): void {
  // Reads go on while another process writes.
  file.pragma('journal_mode = WAL');
  // The default of WAL mode can lose the last commits in a power cut, which may be payments.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // A WAL that has grown is cut to this.
  file.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
  // Only a read creates the files next to the database.
  file.prepare('select count(*) from sqlite_schema').get();
}

/** A link leads elsewhere, for instance to an unmounted disk, where a new, empty database would be made. */
function refuseLinkToNowhere(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true || existsSync(path)) return;
  throw new DatabaseFileError(
    `The database ${path} is a link to ${readlinkSync(path)}, where there is no file. Put the file there, such as by mounting its disk, or remove the link.`,
  );
}

/**
 * SQLite opens read-only files, and each write fails until the file is opened anew. The files next to the
 * database may be left by a killed process of another user.
 */
function refuseReadOnly(path: string): void {
  for (const [place, what] of [
    [path, `The database ${path}`],
    [dirname(path), `The folder ${dirname(path)} of the database, where SQLite writes files too,`],
    [`${path}-wal`, `The file ${path}-wal, which belongs to the database,`],
    [`${path}-shm`, `The file ${path}-shm, which belongs to the database,`],
  ] as const) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
    } catch (cause) {
      // The files next to the database exist only while it is in use.
      if (codeOf(cause) === 'ENOENT' && place !== path) continue;
      if (codeOf(cause) !== 'EACCES') throw cause;
      throw new DatabaseFileError(
        `${what} cannot be read and written by the user of this process. Change its owner or its permissions.`,
        { cause },
      );
    }
  }
}

/**
 * Refuses a SQLite file without one of its parts, which SQLite would create anew, empty. Opening a store does
 * this too.
 *
 * @param path the path of the database
 * @throws DatabaseFileError when there is a `-wal` without its database, or a `-shm` without its `-wal`
 * @example
 * refuseMissingFiles('subrail.db');
 */
export function refuseMissingFiles(path: string): void {
  refuseWithoutDatabase(path);
  refuseWithoutWal(path);
}

/**
 * SQLite deletes a `-wal` next to a new database, and with it commits. A process creates a new file before
 * its `-wal`.
 */
function refuseWithoutDatabase(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0 || existsSync(path)) return;
  throw new DatabaseFileError(
    `The database ${path} is missing, and ${path}-wal has records of it. Put the file back in its place, or move that one away to begin with an empty database.`,
  );
}

/**
 * SQLite deletes `-shm` before `-wal`. With only a `-shm`, a process may still write to a deleted `-wal`, and
 * a new one would lack what the `-shm` lists.
 */
function refuseWithoutWal(path: string): void {
  const isLeft = () => existsSync(`${path}-shm`) && !existsSync(`${path}-wal`);
  // Twice, because a closing process may delete both files between the two looks.
  if (!isLeft() || !isLeft()) return;
  throw new DatabaseFileError(
    `The file ${path}-wal is missing, and ${path}-shm shows that the database was not closed. If a host runs, stop it with SIGTERM, which brings what that file had into the database. If none runs, put the file back, or delete ${path}-shm to go on without what only that file had.`,
  );
}

/**
 * Creates a missing file for its owner only. SQLite would follow the umask, and copies the permissions to the
 * files next to it. An existing file is not opened: closing it would drop the locks of other connections of
 * this process.
 */
function createForOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
