import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { aProject } from '@subrail/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../tests/fake-terminal.js';

let folder: string;
let database: string;
const project = aProject();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-move-'));
  database = join(folder, 'subrail.sqlite');
  const { store, close } = await openSqliteStore({ path: database });
  await store.insertProject(project);
  await close();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]) =>
  runHere(args, { folder, environment: { SUBRAIL_DATABASE: database } });

const FILE = 'new.sqlite';
const SERVER = 'postgres://billing@127.0.0.1:1/billing';

test.each([
  ['a file to another file', null, FILE, /To have them in another SQLite file, .*"subrail backup"/],
  ['a file to itself', null, 'subrail.sqlite', /To have them in another SQLite file, /],
  [
    'a server to another one',
    SERVER,
    `${SERVER}_2`,
    /To have them in another PostgreSQL database, .*pg_dump/,
  ],
  ['a server to a file', SERVER, FILE, /What is on PostgreSQL stays there/],
])(
  'migrate --to from %s is refused with what to do instead, and opens neither',
  async (_, from, to, instead) => {
    const environment = { SUBRAIL_DATABASE: from ?? database };
    const { code, stdout, stderr } = await runHere(['migrate', '--to', to], { folder, environment });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Records move from SQLite to PostgreSQL only\. /);
    expect(stderr).toMatch(instead);
    expect(existsSync(join(folder, FILE))).toBe(false);
    expect(await run('migrate')).toMatchObject({ code: 0 });
  },
);

test('migrate --cancel-move of a server says that the file has the move', async () => {
  const environment = { SUBRAIL_DATABASE: SERVER };
  expect(await runHere(['migrate', '--cancel-move'], { folder, environment })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A move is given up in the SQLite file/) as string,
  });
});

test('migrate --to a server that cannot be reached says so without the password, and changes nothing', async () => {
  const { code, stdout, stderr } = await run(
    'migrate',
    '--to',
    'postgres://billing:swordfish@127.0.0.1:1/billing',
  );
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('127.0.0.1:1');
  expect(stderr).not.toContain('swordfish');
  expect(await run('migrate')).toMatchObject({ code: 0 });
});

test('migrate --cancel-move has nothing to give up when no move was begun', async () => {
  expect(await run('migrate', '--cancel-move')).toMatchObject({
    code: 1,
    stderr: 'The records of this database are not being moved.\n',
  });
});

// starting#encryption-to-a-database
test('migrate --to an address with a parameter that does not exist says which', async () => {
  const to = 'postgres://billing:swordfish@127.0.0.1:1/billing?sslMode=verify-full';
  const { code, stderr } = await run('migrate', '--to', to);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--to has the parameter sslMode, which does not exist\. Those that do are: host, /);
  expect(stderr).not.toContain('swordfish');
});

test('migrate takes one of its purposes at a time', async () => {
  for (const options of [
    ['--to', 'new.sqlite', '--cancel-move'],
    ['--to', 'new.sqlite', '--dry-run'],
    ['--to', 'postgres://db.example.com'],
  ])
    expect(await run('migrate', ...options)).toMatchObject({ code: 2 });
});
