// Heavy: the plans of every statement are read at a million subscriptions, which are written first.

import { emptyDatabase, startPostgres } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { postgresDialect, postgresTraits } from '../../engines/postgres.js';
import { openMovablePostgres } from '../../../postgres/index.js';
import { sqliteTraits } from '../../engines/sqlite.js';
import { scratchFile } from '../../../sqlite/tests/scratch.js';
import { createKyselyStore, migrate, type Database } from '../../index.js';
import type { DialectTraits } from '../../query/session.js';
import { problemsOfPlan, readWholeBy } from '../scans.js';
import { CountingDialect, type Ran } from './counting-driver.js';
import { everyCall, type Calls } from './every-call.js';
import { ExplainingDriver } from './explaining-driver.js';
import { fillLarge } from './fill-large.js';
import { problemsOf } from './postgres-problems.js';

/**
 * How many subscriptions there are. `LARGE_SUBSCRIPTIONS` gives another number, from 60,000, of which a scan
 * costs more than an index, up to a million.
 */
const SUBSCRIPTIONS = Number(process.env['LARGE_SUBSCRIPTIONS'] ?? 1_000_000);

const MINUTES = 60_000;

/** What reads more the larger a project is, and why that has a limit. */
const BY_SIZE_OF_PROJECT: Partial<Record<keyof Calls, string>> = {
  listSeatsOver: 'counts the seats, and is asked for only when more are taken than the limit',
  countRunning:
    'counts what runs in a project, in an index of its own, each time an operator asks for an overview',
  countPending: 'counts the pending checkouts, of which a project has no more than its limit',
  readPendingOfLinks: 'reads the pending checkouts, of which a project has no more than its limit',
};

test(
  'on Postgres every statement reads no more than a page of rows, and neither scans a table that grows nor walks an index',
  { timeout: 20 * MINUTES },
  async () => {
    const server = await startPostgres('18', ['max_wal_size=8GB', 'shared_buffers=512MB', 'jit=off']);
    try {
      const { url } = await emptyDatabase(server.url);
      const { db, close } = await openMovablePostgres({ url });
      await migrate(db, postgresTraits);
      await fillLarge(db, SUBSCRIPTIONS);
      await sql`vacuum (analyze)`.execute(db);
      await close();

      expect(await problemsOfPostgres(url)).toEqual([]);
    } finally {
      await server.remove();
    }
  },
);

async function problemsOfPostgres(url: string): Promise<readonly string[]> {
  const driver = new ExplainingDriver(url);
  const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
  try {
    const found: string[] = [];
    for (const [name, calls] of callsOn(db, postgresTraits))
      for (const call of calls) {
        await call();
        for (const { sql, plan } of driver.explained.splice(0)) {
          const problems = problemsOf(plan, {
            growsWithProject: name in BY_SIZE_OF_PROJECT,
            readWhole: readWholeBy(name),
          });
          if (problems.length > 0) found.push(`${name}: ${problems.join(', ')}\n  ${sql.slice(0, 1_000)}`);
        }
      }
    return found;
  } finally {
    await db.destroy();
  }
}

/** Every call of the store: each twice, because a statement is prepared when it runs again. */
function callsOn(db: Kysely<Database>, traits: DialectTraits) {
  const store = createKyselyStore(db, traits);
  const callsAgain = Object.values(everyCall(store));
  return Object.entries(everyCall(store)).map(
    ([name, calls], at) => [name as keyof Calls, [...calls, ...(callsAgain[at] ?? [])]] as const,
  );
}

/**
 * The most pages that a statement of SQLite reads, about one for each row that PostgreSQL may read, and more
 * for each written row.
 */
const MOST_PAGES = 3_000;
const PAGES_OF_WRITTEN_ROW = 60;
/** How many pages SQLite keeps in memory meanwhile: the first ones of each index, and little else. */
const KEPT_PAGES = 100;

test(
  'on SQLite no statement scans what may be long, sorts what no page limits, or reads more pages than a page of rows has',
  { timeout: 20 * MINUTES },
  async () => {
    const { path, remove } = scratchFile();
    const file = new SqliteFile(path);
    const dialect = new CountingDialect(file);
    const db = new Kysely<Database>({ dialect });
    try {
      await migrate(db, sqliteTraits);
      await fillLarge(db, SUBSCRIPTIONS);
      file.pragma(`cache_size = ${KEPT_PAGES}`);
      const found: string[] = [];
      for (const [name, calls] of callsOn(db, sqliteTraits))
        for (const call of calls) {
          dialect.ran.length = 0;
          await call();
          for (const ran of dialect.ran.filter(({ sql }) =>
            /^\s*(select|insert|update|delete|with)/.test(sql),
          ))
            for (const problem of problemsOfSqlite(file, name, ran))
              found.push(`${name}: ${problem}\n  ${ran.sql.slice(0, 1_000)}`);
        }
      expect(found).toEqual([]);
    } finally {
      await db.destroy();
      remove();
    }
  },
);

function problemsOfSqlite(
  file: SqliteFile.Database,
  call: keyof Calls,
  { sql, parameters, pages, written }: Ran,
): readonly string[] {
  const plan = file
    .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
    .all(...parameters)
    .map(({ detail }) => detail);
  const mostPages = MOST_PAGES + PAGES_OF_WRITTEN_ROW * written;
  return [
    ...problemsOfPlan(call, sql, plan),
    ...(pages > mostPages && !(call in BY_SIZE_OF_PROJECT)
      ? [`reads ${pages} pages: ${plan.join(', ')}`]
      : []),
  ];
}
