import { emptyDatabase, startPostgres } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { postgresDialect, postgresTraits } from '../../../postgres-engine.js';
import { openMovablePostgres } from '../../../postgres/index.js';
import { SqliteDialect, sqliteTraits } from '../../../sqlite/dialect.js';
import { scratchFile } from '../../../sqlite/tests/scratch.js';
import { createKyselyStore, migrate, type Database } from '../../index.js';
import { everyCall } from './every-call.js';
import { ExplainingDriver, type PlanNode } from './explaining-driver.js';
import { fillLarge } from './fill-large.js';

/** How many subscriptions there are. `LARGE_SUBSCRIPTIONS` gives another number, up to a million. */
const SUBSCRIPTIONS = Number(process.env['LARGE_SUBSCRIPTIONS'] ?? 1_000_000);

const MINUTES = 60_000;

/** The tables that grow with the subscriptions. Of the others an engine reads the few pages of a whole table, and is right. */
const GROWING = [
  ...[
    'subscriptions',
    'subscription_dates',
    'transfers',
    'attempts',
    'signed_terms',
    'events',
    'deliveries',
    'delivery_attempts',
  ],
  'acts',
];

/** What reads more the larger a project is, and why that has a limit. */
const BY_SIZE_OF_PROJECT = {
  listSubscribers: 'lists all of a kind, and is asked for by an operator only',
  countRunning: 'counts what runs, for an overview',
  countPending: 'counts the pending checkouts, of which a project has no more than its limit',
  countOtherSeats: 'counts the seats of a tier that limits them',
};

test(
  'on Postgres every statement reads no more than a page of rows, and scans no table that grows',
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
    for (const [name, calls] of Object.entries(everyCall(createKyselyStore(db, postgresTraits))))
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

/** A statement of a page or a batch of 100 reads this many rows; a step of a search looks at 1,000. */
const MOST_ROWS = 2_500;

/** How many pages of memory or disk a statement reads besides those of its rows, of which each may be in every index. */
const MOST_BLOCKS = 1_500;
const BLOCKS_OF_ROW = 100;

function problemsOf(plan: PlanNode, growsWithProject: boolean): readonly string[] {
  const nodes = nodesOf(plan);
  const scans = nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && GROWING.includes(node['Relation Name'] ?? ''))
    .map((node) => `scans ${node['Relation Name']}`);
  if (growsWithProject) return scans;
  const rows = Math.max(
    ...nodes.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ),
  );
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const indexes = nodes.map((node) => node['Index Name']).filter((index) => index !== undefined);
  return [
    ...scans,
    ...(rows > MOST_ROWS ? [`reads ${rows} rows by ${indexes.join(' and ')}`] : []),
    ...(blocks > MOST_BLOCKS + BLOCKS_OF_ROW * rows ? [`reads ${blocks} blocks for ${rows} rows`] : []),
  ];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
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
  claimDue: 'what was found of each project',
  claimEndpoints: 'the endpoints',
  countRunning: 'the groups by plan and status',
  countBegun: 'the groups by plan',
  countLost: 'the groups by plan and reason',
};

test(
  'on SQLite no statement scans a table that grows, or sorts what no page limits',
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
      for (const [name, calls] of Object.entries(everyCall(createKyselyStore(db, sqliteTraits))))
        for (const call of calls) {
          queries.length = 0;
          await call();
          for (const { sql, parameters } of queries.filter(({ sql }) =>
            /^\s*(select|insert|update|delete|with)/.test(sql),
          ))
            for (const { detail } of file
              .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
              .all(...parameters)) {
              // A scan by an index goes in the order of the page, as far as its limit, or is of a partial one, which is small.
              const [, scanned] = /^SCAN (\w+)$/.exec(detail) ?? [];
              const isScan = scanned !== undefined && GROWING.includes(scanned);
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
