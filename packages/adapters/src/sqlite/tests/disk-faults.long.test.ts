// Heavy: processes write to a disk that is full, fails or can only be read.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../index.js';
import { startChild, startChildIn, type Child } from './child.js';
import { buildRecorder } from './disk/recorder.js';

// Starting a process takes seconds on a busy machine, and more than ten on one that does much else.
vi.setConfig({ testTimeout: 240_000 });

let scratch: string;
let folder: string;
let path: string;
const children: Child[] = [];
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'subrail-disk-')));
  folder = join(scratch, 'data');
  mkdirSync(folder);
  path = join(folder, 'subrail.db');
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  chmodSync(folder, 0o700);
  rmSync(scratch, { recursive: true, force: true });
});

function aChild(child: Child): Child {
  children.push(child);
  return child;
}

async function said(child: Child): Promise<string> {
  child.go();
  return child.line();
}

describe('a disk that takes no writes', () => {
  test.each([
    ['full', constants.errno.ENOSPC, `is full. Free space on it: the service then goes on by itself.`],
    [
      'failing',
      constants.errno.EIO,
      `cannot be read or written. Check it: once it can, the service goes on by itself.`,
    ],
    [
      'one that can only be read, as Linux makes a disk that fails',
      constants.errno.EROFS,
      `cannot be read or written. Check it: once it can, the service goes on by itself.`,
    ],
  ])(
    'refuses writes as unavailable while it is %s, goes on by itself, and loses nothing',
    async (_, errno, end) => {
      const { env, writeError } = buildRecorder(scratch, folder);
      const child = aChild(startChildIn(env, 'write-when-asked', path));
      expect(await child.line()).toBe('ready');
      expect(await said(child)).toBe('1 projects');
      writeFileSync(writeError, String(errno));
      for (let count = 0; count < 3; count += 1)
        expect(await said(child)).toBe(`1 projects, Unavailable: The disk of the database ${path} ${end}`);
      rmSync(writeError);
      expect(await said(child)).toBe('2 projects');
      await child.kill();
      const { store, close } = await openSqliteStore({ path });
      expect(await store.listProjects()).toHaveLength(2);
      await close();
      const file = new SqliteFile(path);
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
      file.close();
    },
  );

  test('is refused with a sentence when a database is created on it', async () => {
    const { env, writeError } = buildRecorder(scratch, folder);
    writeFileSync(writeError, String(constants.errno.ENOSPC));
    const child = aChild(startChildIn(env, 'open-file', path));
    expect(await child.line()).toBe('ready');
    expect(await said(child)).toBe(
      `DatabaseFileError: The disk of the database ${path} is full, or cannot be written. Free space on it and start again.`,
    );
    rmSync(writeError);
    await (await openSqliteStore({ path })).close();
  });

  test('is refused with a sentence when a database on it is opened and it can only be read', async () => {
    await (await openSqliteStore({ path })).close();
    const { env, writeError } = buildRecorder(scratch, folder);
    writeFileSync(writeError, String(constants.errno.EROFS));
    const child = aChild(startChildIn(env, 'open-file', path));
    expect(await child.line()).toBe('ready');
    expect(await said(child)).toBe(
      `DatabaseFileError: The database ${path} is on a disk that can only be read. Make it writable, or give another path.`,
    );
    rmSync(writeError);
    await (await openSqliteStore({ path })).close();
  });
});

describe('a user without the right to write', () => {
  const refused = async () => {
    const child = aChild(startChild('open-file', path, 'nobody'));
    expect(await child.line()).toBe('ready');
    return said(child);
  };

  beforeEach(async () => {
    await (await openSqliteStore({ path })).close();
    // Everybody may come this far.
    for (const place of [scratch, folder]) chmodSync(place, 0o777);
  });

  test('is refused a file that can only be read', async () => {
    chmodSync(path, 0o444);
    expect(await refused()).toBe(
      `DatabaseFileError: The database ${path} cannot be read and written by the user of this process. Change its owner or its permissions.`,
    );
  });

  test('is refused a folder that can only be read', async () => {
    chmodSync(path, 0o666);
    chmodSync(folder, 0o555);
    expect(await refused()).toBe(
      `DatabaseFileError: The folder ${folder} of the database, where SQLite writes files too, cannot be read and written by the user of this process. Change its owner or its permissions.`,
    );
  });

  test.each(['-wal', '-shm'])(
    'is refused a file %s next to the database, left by a process that was killed, that can only be read',
    async (end) => {
      const killed = aChild(startChild('write-when-asked', path));
      expect(await killed.line()).toBe('ready');
      expect(await said(killed)).toBe('1 projects');
      await killed.kill();
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
      chmodSync(`${path}${end}`, 0o444);
      expect(await refused()).toBe(
        `DatabaseFileError: The file ${path}${end}, which belongs to the database, cannot be read and written by the user of this process. Change its owner or its permissions.`,
      );
    },
  );
});
