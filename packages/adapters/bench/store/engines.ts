import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullStore } from '@subrail/core/ports';
import { aCommit, anEvent, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import { emptyDatabase, type PostgresServer } from '@subrail/test-postgres';
import SqliteFile from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { migrate } from '../../src/kysely/index.js';
import type { MoveSource, MoveTarget } from '../../src/kysely/move/ends.js';
import { fillLarge } from '../../src/kysely/tests/large/fill-large.js';
import { createMemoryStore } from '../../src/memory/index.js';
import { openMovablePostgres, openPostgresStore } from '../../src/postgres/index.js';
import { openMovableSqlite, openSqliteStore } from '../../src/sqlite/index.js';
import { BareRows } from './bare-rows.js';
import type { Bare } from './bare-statements.js';
import type { Call, Work } from './work.js';

/** A store with subscriptions in it, and the same done bare. */
export interface FilledStore {
  readonly store: FullStore;
  /** A statement that reads nothing; null in memory, where there are no statements. */
  readonly readNothing: (() => Promise<unknown>) | null;
  readonly bare: (work: Work) => Call;
  readonly close: () => Promise<void>;
}

/** What bare statements do on their database. */
function onStatements(bare: Bare): Pick<FilledStore, 'readNothing' | 'bare'> {
  return {
    readNothing: () => bare.run('select 1', []),
    bare: (work) => (change, at) => work.statements(bare, change, at),
  };
}

/** Fills a store in memory, and bare rows with the same records. */
export async function inMemory(count: number): Promise<FilledStore> {
  const store = createMemoryStore();
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const rows = new BareRows(project, plan);
  for (let filled = 0; filled < count; filled += 1_000) {
    const batch = Array.from({ length: 1_000 }, () => {
      const subscription = aSubscription({ projectId: project.id, planId: plan.id, lastSequence: 1 });
      return aCommit(subscription, {
        events: [anEvent({ projectId: project.id, subscriptionId: subscription.id })],
      });
    });
    await store.commit(batch);
    for (const { subscription, events } of batch) rows.insert(subscription, events);
  }
  return {
    store,
    readNothing: null,
    bare: (work) => async (change, at) => work.rows(rows, change, at),
    close: async () => undefined,
  };
}

/** Fills a SQLite file. */
export async function onSqlite(count: number): Promise<FilledStore> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-bench-'));
  const path = join(folder, 'billing.db');
  await (await openSqliteStore({ path })).close();
  await fillAndClose(await openMovableSqlite({ path }), count);
  const { store, close } = await openSqliteStore({ path });
  const file = new SqliteFile(path);
  file.pragma('synchronous = FULL');
  const statements = new Map<string, SqliteFile.Statement>();
  const statementOf = (sql: string) => {
    const statement = statements.get(sql) ?? file.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    store,
    ...onStatements({
      async run(sql, values) {
        const statement = statementOf(sql);
        if (statement.reader) return statement.all(...values);
        statement.run(...values);
        return [];
      },
      async transaction(work) {
        file.exec('begin immediate');
        await work();
        file.exec('commit');
      },
    }),
    close: async () => {
      await close();
      file.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Fills a database of a PostgreSQL server. */
export async function onPostgres(server: PostgresServer, count: number): Promise<FilledStore> {
  const database = await emptyDatabase(server.url);
  const { url } = database;
  await fillAndClose(await openMovablePostgres({ url }), count);
  const { store, close } = await openPostgresStore({ url });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const names = new Map<string, string>();
  return {
    store,
    ...onStatements({
      async run(sql, values) {
        const name = names.get(sql) ?? `bare_${names.size}`;
        names.set(sql, name);
        let place = 0;
        const text = sql.replaceAll('?', () => `$${++place}`);
        return (await client.query<object>({ name, text, values: [...values] })).rows;
      },
      async transaction(work) {
        await client.query('begin');
        await work();
        await client.query('commit');
      },
    }),
    close: async () => {
      await close();
      await client.end();
      await database.drop();
    },
  };
}

/** So few that a page of the events of each is full. */
const PROJECTS = 10;

/** Makes the tables of an empty database, fills them, and closes it. */
async function fillAndClose(database: MoveSource | MoveTarget, count: number): Promise<void> {
  await migrate(database.db, database.traits);
  await fillLarge(database.db, count, PROJECTS);
  // SQLite chooses the indexes for which the store's statements are written without figures about the tables.
  if (database.traits.dialect === 'postgres')
    await database.db.executeQuery(CompiledQuery.raw('vacuum (analyze)'));
  await database.close();
}
