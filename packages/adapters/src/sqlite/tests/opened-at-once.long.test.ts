// Heavy: several processes open and migrate one file at once.

import { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { appliedMigrations } from '../../kysely/applied-migrations.js';
import type { Database } from '../../kysely/index.js';
import { MIGRATIONS } from '../../kysely/migrations/index.js';
import { expectKept, makeEarlier } from '../../kysely/tests/describe-earlier-schemas.js';
import { SqliteDialect } from '../dialect.js';
import { sqliteTraits } from '../../sqlite-engine.js';
import { openFile } from '../file.js';
import { openSqliteStore } from '../index.js';
import { startChild, type Child } from './child.js';
import { scratchFile } from './scratch.js';

// Starting a process takes seconds on a busy machine, and more than ten on one that does much else.
vi.setConfig({ testTimeout: 240_000 });

const PROCESSES = 4;
const children: Child[] = [];
let file: ReturnType<typeof scratchFile>;
beforeEach(() => {
  file = scratchFile();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  file.remove();
});

/** Opens the file in several processes at the same moment. Returns what each of them said. */
async function openAtOnce(): Promise<readonly string[]> {
  const started = Array.from({ length: PROCESSES }, () => startChild('open-file', file.path));
  children.push(...started);
  expect(await Promise.all(started.map((child) => child.line()))).toEqual(started.map(() => 'ready'));
  for (const child of started) child.go();
  return Promise.all(started.map((child) => child.line()));
}

/** Each name begins with its number; the database adds a hash. */
const numbersOf = (names: readonly string[]) => names.map((name) => name.slice(0, 4));

const opened = Array<string>(PROCESSES).fill('it was opened');

async function databaseIn(path: string): Promise<Kysely<Database>> {
  return new Kysely<Database>({ dialect: new SqliteDialect(await openFile(path, 5_000), 5_000) });
}

test('processes that open a new file at the same time migrate it once, and all of them open it', async () => {
  expect(await openAtOnce()).toEqual(opened);
  await (await openSqliteStore({ path: file.path })).close();
});

const NAMES = Object.keys(MIGRATIONS);

test.each([NAMES.slice(0, 1), NAMES.slice(0, -1)].map((then) => then.at(-1) ?? ''))(
  'processes that open a file of the schema %s at the same time migrate it once, and it keeps its rows',
  async (last) => {
    const earlier = await databaseIn(file.path);
    const filled = await makeEarlier(earlier, sqliteTraits, last);
    expect(filled.length).toBeGreaterThan(5);
    await earlier.destroy();

    expect(await openAtOnce()).toEqual(opened);
    const db = await databaseIn(file.path);
    // A migration that ran twice would have failed: it creates what is there, or what it changes is gone.
    expect(numbersOf(await appliedMigrations(db))).toEqual(numbersOf(NAMES));
    await expectKept(db, sqliteTraits, filled);
    await db.destroy();
  },
);
