import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseFileError } from './faults.js';
import { openSqliteStore } from './open.js';
import { scratchFile } from './tests/scratch.js';

type Prepare = (this: SqliteFile.Database, sql: string) => SqliteFile.Statement;

/** What the driver throws when it is made, in place of opening the file. */
const load = vi.hoisted(() => ({ error: null as Error | null }));
vi.mock('better-sqlite3', async (original) => {
  const { default: Real } = await original<{ default: typeof SqliteFile }>();
  class Driver extends Real {
    constructor(path: string, options: SqliteFile.Options) {
      if (load.error !== null) throw load.error;
      super(path, options);
    }
  }
  return { default: Object.assign(Driver, { SqliteError: Real.SqliteError }) };
});

let path: string;
let remove: () => void;
beforeEach(() => {
  ({ path, remove } = scratchFile());
});
afterEach(() => {
  load.error = null;
  vi.unstubAllGlobals();
  remove();
});

/** An addon that does not fit, in the words of Node and of better-sqlite3. */
test.each([
  [
    'another Node',
    Object.assign(
      new Error(
        "The module 'better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.",
      ),
      { code: 'ERR_DLOPEN_FAILED' },
    ),
    `The addon of better-sqlite3 does not fit this Node, ${process.version} on ${process.platform} ${process.arch}: it was built for another one. Run with this Node: npm rebuild better-sqlite3`,
  ],
  [
    'another libc',
    Object.assign(new Error("version `GLIBC_2.38' not found"), { code: 'ERR_DLOPEN_FAILED' }),
    `The addon of better-sqlite3 does not fit this Node, ${process.version} on ${process.platform} ${process.arch}: it was built for another one. Run with this Node: npm rebuild better-sqlite3`,
  ],
  [
    'nothing, because install scripts are not allowed',
    new Error('Could not locate the bindings file. Tried:\n → /app/build/better_sqlite3.node'),
    'better-sqlite3 was installed without its addon, as when install scripts are not allowed. Allow its script, and run: npm rebuild better-sqlite3',
  ],
])('a driver that was built for %s says what to do', async (_, error, sentence) => {
  load.error = error;
  await expect(openSqliteStore({ path })).rejects.toThrow(new DatabaseFileError(sentence));
});

test.each([
  ['Bun', new Error("'better-sqlite3' is not yet supported in Bun.")],
  [
    'Deno',
    new TypeError('Cannot load native addon: it was built against the legacy Node.js native addon API'),
  ],
])('%s, which loads no such addon, is told what it can open', async (runtime, error) => {
  vi.stubGlobal(runtime, {});
  load.error = error;
  await expect(openSqliteStore({ path })).rejects.toThrow(
    new DatabaseFileError(
      `better-sqlite3 is an addon of Node, which ${runtime} does not load. Give the address of a PostgreSQL database, or open PGlite.`,
    ),
  );
});

test('a link to nowhere is refused, and nothing is made where it leads', async () => {
  const target = join(dirname(path), 'disk', 'billing.db');
  mkdirSync(dirname(target));
  symlinkSync(target, path);
  await expect(openSqliteStore({ path })).rejects.toThrow(
    new DatabaseFileError(
      `The database ${path} is a link to ${target}, where there is no file. Put the file there, such as by mounting its disk, or remove the link.`,
    ),
  );
  expect(existsSync(target)).toBe(false);
  new SqliteFile(target).exec('create table made (id)').close();
  await (await openSqliteStore({ path })).close();
});

test('a disk that is full while the tables are made says so, and that it takes a new start', async () => {
  const original = Reflect.get(SqliteFile.prototype, 'prepare') as Prepare;
  const prepare = vi.spyOn(SqliteFile.prototype, 'prepare');
  prepare.mockImplementation(function (this: SqliteFile.Database, sql: string) {
    if (/^create table/i.test(sql))
      throw new SqliteFile.SqliteError('database or disk is full', 'SQLITE_FULL');
    return original.call(this, sql);
  });
  await expect(openSqliteStore({ path })).rejects.toThrow(
    new DatabaseFileError(
      `The disk of the database ${path} is full, or cannot be written. Free space on it and start again.`,
    ),
  );
  prepare.mockRestore();
  await (await openSqliteStore({ path })).close();
});
