import { emptyDatabase, startPostgres } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { postgresDialect, postgresTraits } from '../../../postgres-engine.js';
import { openMovablePostgres } from '../../../postgres/index.js';
import { SqliteDialect, sqliteTraits } from '../../../sqlite/dialect.js';
import { scratchFile } from '../../../sqlite/tests/scratch.js';
import { createKyselyRateLimit, createKyselyStore, migrate, type Database } from '../../index.js';
import type { DialectTraits } from '../../query/session.js';
import { longScan } from '../scans.js';
import { everyCall, everyRateLimitCall } from './every-call.js';
import { ExplainingDriver } from './explaining-driver.js';
import { fillLarge } from './fill-large.js';
import { problemsOf } from './postgres-problems.js';

/** How many subscriptions there are. `LARGE_SUBSCRIPTIONS` gives another number, up to a million. */
const SUBSCRIPTIONS = Number(process.env['LARGE_SUBSCRIPTIONS'] ?? 1_000_000);

const MINUTES = 60_000;

/** What reads more the larger a project is, and why that has a limit. */
const BY_SIZE_OF_PROJECT = {
  listSeatsOver: 'counts the seats, and is asked for only when more are taken than the limit',
  countRunning:
    'counts what runs in a project, in an index of its own, each time an operator asks for an overview',
  countPending: 'counts the pending checkouts, of which a project has no more than its limit',
  countOtherSeats:
    'counts the seats of a project with a limit, which has no more than that once it is settled',
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
          const problems = problemsOf(plan, name in BY_SIZE_OF_PROJECT);
          if (problems.length > 0) found.push(`${name}: ${problems.join(', ')}\n  ${sql.slice(0, 1_000)}`);
        }
      }
    return found;
  } finally {
    await db.destroy();
  }
}

/** Every call of the store, and of the rate limit that is kept in its database. */
function callsOn(db: Kysely<Database>, traits: DialectTraits) {
  return Object.entries({
    ...everyCall(createKyselyStore(db, traits)),
    ...everyRateLimitCall(createKyselyRateLimit(db)),
  });
}

/** What is sorted although it is not limited by a page, and why it is small. */
const SORTED = {
  listProjects: 'the projects of a service',
  listManagementKeys: 'the management keys of a service',
  listPublishedPlans: 'the plans of a project',
  listEndpoints: 'the endpoints of a project',
  listDeliveries: 'the deliveries of an event, one for each endpoint',
  listProjectDeliveries: 'the deliveries of an event, when the list is of one event',
  findSignedTerms: 'the terms of one subscription',
  listSubscriptionDeliveries: 'the deliveries of one subscription, of which retention keeps 30 days',
  claimDue: 'of each project the soonest, up to its share of the limit',
  claimEndpoints: 'the endpoints that have pending deliveries',
  listSeatsOver: 'the seats of a project that has more than its limit',
  countRunning: 'the groups by plan and status',
  countBegun: 'the groups by plan',
  countLost: 'the groups by plan and reason',
};

test(
  'on SQLite no statement scans what may be long, or sorts what no page limits',
  { timeout: 20 * MINUTES },
  async () => {
    const { path, remove } = scratchFile();
    const file = new SqliteFile(path);
    const queries: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
    const db = new Kysely<Database>({
      dialect: new SqliteDialect(file, 0),
      log: ({ query }) => void queries.push(query),
    });
    try {
      await migrate(db, sqliteTraits);
      await fillLarge(db, SUBSCRIPTIONS);
      const found: string[] = [];
      for (const [name, calls] of callsOn(db, sqliteTraits))
        for (const call of calls) {
          queries.length = 0;
          await call();
          for (const { sql, parameters } of queries.filter(({ sql }) =>
            /^\s*(select|insert|update|delete|with)/.test(sql),
          ))
            for (const { detail } of file
              .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
              .all(...parameters)) {
              const isScan = longScan(detail, sql) !== null;
              const isSort = /TEMP B-TREE|AUTOMATIC/.test(detail) && !(name in SORTED);
              if (isScan || isSort) found.push(`${name}: ${detail}\n  ${sql.slice(0, 1_000)}`);
            }
        }
      expect(found).toEqual([]);
    } finally {
      await db.destroy();
      remove();
    }
  },
);
