import { Unavailable } from '@subrail/core/ports';
import {
  aCheckout,
  aCommit,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  aTransfer,
} from '@subrail/core/testing';
import SqliteFile from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { migrate, SchemaDriftError } from './index.js';
import { MIGRATIONS } from './migrations/index.js';
import type { OnlineMigration } from './migrations/online.js';
import { initial } from './migrations/0001-initial.js';
import { expiredCheckouts } from './migrations/0002-expired-checkouts.js';
import { SqliteDialect } from '../sqlite/dialect.js';
import { sqliteTraits } from '../sqlite-engine.js';
import { openSqliteStore } from '../sqlite/index.js';
import { scratchFile } from '../sqlite/tests/scratch.js';

const FIRST = ['create table one (id text primary key)'];
const SECOND = ['create table two (id text primary key)', 'create index two_id on two (id)'];

const { path, remove } = scratchFile();
const opened: Kysely<unknown>[] = [];
let files = 0;

/** Opens the file with this number, and creates it when the number is new. */
function connect(file: number): Kysely<unknown> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect(new SqliteFile(`${path}-${file}`), 5000) });
  opened.push(db);
  return db;
}

async function tablesOf(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  return tables.map((table) => table.name).filter((name) => !name.startsWith('subrail_'));
}

afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy();
});
afterAll(remove);

describe('migrate', () => {
  test('runs the missing migrations in order, each once', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST });
    await sql`insert into one values ('kept')`.execute(db);
    await migrate(db, sqliteTraits, { '0002_second': SECOND, '0001_first': FIRST });
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    expect(await tablesOf(db)).toEqual(['one', 'two']);
    expect((await sql`select id from one`.execute(db)).rows).toEqual([{ id: 'kept' }]);
  });

  test('runs once when several callers race on one file', async () => {
    const file = ++files;
    const migrations = { '0001_first': FIRST, '0002_second': SECOND };
    const callers = Array.from({ length: 5 }, () => connect(file));
    await Promise.all(callers.map((db) => migrate(db, sqliteTraits, migrations)));
    for (const db of callers) expect(await tablesOf(db)).toEqual(['one', 'two']);
  });

  test('refuses a database whose migration was edited after it ran, and changes nothing', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST });
    const edited = migrate(db, sqliteTraits, {
      '0001_first': ['create table other (id text)'],
      '0002_second': SECOND,
    });
    await expect(edited).rejects.toThrow(SchemaDriftError);
    await expect(edited).rejects.toThrow(/^Migration 0001_first was edited after it ran/);
    expect(await tablesOf(db)).toEqual(['one']);
  });

  test('refuses a database that a newer release migrated, and changes nothing', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    const older = migrate(db, sqliteTraits, { '0001_first': FIRST });
    await expect(older).rejects.toThrow(SchemaDriftError);
    await expect(older).rejects.toThrow(/has migration 0002_second, which this release does not know/);
    expect(await tablesOf(db)).toEqual(['one', 'two']);
  });

  test('goes on after a release that was migrated on a machine whose clock was ahead', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0001_first': FIRST });
    await sql`update subrail_migrations set timestamp = '2099-01-01T00:00:00.000Z'`.execute(db);
    const third = ['create table three (id text primary key)'];
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND, '0003_third': third });
    expect(await tablesOf(db)).toEqual(['one', 'three', 'two']);
  });

  test('refuses a database that lacks a migration before one that ran, and changes nothing', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits, { '0002_second': SECOND });
    const gap = migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    await expect(gap).rejects.toThrow(SchemaDriftError);
    await expect(gap).rejects.toThrow(/^The database lacks migration 0001_first, but a later one ran\./);
    expect(await tablesOf(db)).toEqual(['two']);
  });

  test('undoes a migration that fails, and can run again', async () => {
    const db = connect(++files);
    const broken = migrate(db, sqliteTraits, {
      '0001_first': FIRST,
      '0002_second': [...SECOND, 'create nonsense'],
    });
    await expect(broken).rejects.toThrow('The database could not be migrated; the cause says why.');
    expect(await tablesOf(db)).toEqual([]);
    await migrate(db, sqliteTraits, { '0001_first': FIRST, '0002_second': SECOND });
    expect(await tablesOf(db)).toEqual(['one', 'two']);
  });

  test('gives up after two minutes, as unavailable, when a table stays locked', async () => {
    const db = connect(++files);
    const online: OnlineMigration = {
      limitWaits: () => Promise.resolve(),
      gaveWay: (error) => error !== undefined,
      missingIndexes: () => Promise.resolve([]),
      buildIndexes: () => Promise.resolve(),
    };
    // Each pause ends at once.
    const pauses = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((ended) => setImmediate(ended) as never);
    try {
      const locked = migrate(db, { ...sqliteTraits, online }, { '0001_first': ['create nonsense'] });
      await expect(locked).rejects.toThrow(Unavailable);
      await expect(locked).rejects.toThrow(
        /^The database was not migrated, because a table stayed in use by another transaction for two minutes\./,
      );
      expect(pauses.mock.calls.filter(([, ms]) => ms === 2_000)).toHaveLength(29);
    } finally {
      pauses.mockRestore();
    }
  });

  test('keeps the rows of an existing file', async () => {
    const name = `${path}-${++files}`;
    const project = aProject();
    const first = await openSqliteStore({ path: name });
    await first.store.insertProject(project);
    await first.close();
    const second = await openSqliteStore({ path: name });
    expect(await second.store.listProjects()).toEqual([project]);
    await second.close();
  });

  test('renames columns of a database that an earlier release filled, and keeps their values', async () => {
    const file = ++files;
    const db = connect(file);
    await migrate(db, sqliteTraits, { '0001_initial': initial, '0002_expired_checkouts': expiredCheckouts });
    await sql`pragma foreign_keys = off`.execute(db);
    const { id, projectId, planId, wallet, address } = aCheckout();
    await sql`insert into subscriptions (id, project_id, plan_id, version, status, wallet, address, terms_signed,
      access_announced, last_sequence, paid_count, paid_amount, created_at)
      values (${id}, ${projectId}, ${planId}, 1, 'ended', ${wallet}, ${address}, 0, 1, 0, 0, '0', 0)`.execute(
      db,
    );
    const transfer = aTransfer({ subscriptionId: id });
    await sql`insert into transfers (id, subscription_id, kind, signature, wire, amount, last_valid_block_height, state,
      absent_looks, wait_recorded, created_at)
      values (${transfer.id}, ${id}, 'charge', ${transfer.signature}, 'AQID', '1', '300', 'open', 1, 1, 0)`.execute(
      db,
    );
    await db.destroy();

    const { store, close } = await openSqliteStore({ path: `${path}-${file}` });
    expect(await store.findSubscription(projectId, id)).toMatchObject({ lastAnnouncedAccess: true });
    expect(await store.listTransfers(id, 99)).toMatchObject([{ notFoundCount: 1, longWaitRecorded: true }]);
    await close();
  });

  test('has 64 bits for every number of milliseconds, on engines whose integers have 32', async () => {
    const db = connect(++files);
    await migrate(db, sqliteTraits);
    const tables = await db.introspection.getTables();
    const columns = tables.flatMap(({ name, columns }) =>
      columns.map((column) => ({ ...column, table: name })),
    );
    const inMs = columns.filter(({ name }) => /(_at|_ms|until)$/.test(name));
    expect(
      inMs.filter(({ dataType }) => dataType !== 'bigint').map(({ table, name }) => `${table}.${name}`),
    ).toEqual([]);
  });

  // events#events-list-in-writing-order
  test('gives the events of an earlier release their places by date and sequence, and the next ones those after', async () => {
    const file = ++files;
    const db = connect(file);
    const earlier = Object.entries(MIGRATIONS).filter(([name]) => name < '0013');
    await migrate(db, sqliteTraits, Object.fromEntries(earlier));
    await sql`pragma foreign_keys = off`.execute(db);
    const [one, two] = [aProject(), aProject()];
    const subscription = aSubscription({ projectId: one.id });
    for (const { id } of [one, two])
      await sql`insert into projects (id, name, tier, created_at) values (${id}, 'A', 'dev', 0)`.execute(db);
    const row = (id: string, projectId: string, createdAt: number, sequence: number) =>
      sql`insert into events (id, project_id, subscription_id, type, created_at, sequence, data, detail)
        values (${id}, ${projectId}, ${subscription.id}, 'subscription.renewed', ${createdAt}, ${sequence}, '{}', '{}')`.execute(
        db,
      );
    await row('evt_3', one.id, 7, 3);
    await row('evt_1', one.id, 7, 4);
    await row('evt_9', one.id, 5, 2);
    await row('evt_2', two.id, 6, 1);
    await db.destroy();
    opened.splice(opened.indexOf(db), 1);

    const { store, close } = await openSqliteStore({ path: `${path}-${file}` });
    const listed = async (projectId: typeof one.id) => {
      const every = { type: null, subscriptionId: null };
      const page = await store.listEvents(projectId, new Date(0), every, { limit: 9, startingAfter: null });
      return page === 'unknown_cursor' ? page : page.data.map(({ id }) => id);
    };
    expect(await listed(one.id)).toEqual(['evt_1', 'evt_3', 'evt_9']);
    expect(await listed(two.id)).toEqual(['evt_2']);
    const plan = aPlan({ projectId: one.id });
    await store.insertPlan(plan);
    const next = anEvent({ projectId: one.id, subscriptionId: subscription.id, sequence: 5 });
    const commit = aCommit({ ...subscription, planId: plan.id }, { events: [next] });
    expect(await store.commit([commit])).toBe('committed');
    expect(await listed(one.id)).toEqual([next.id, 'evt_1', 'evt_3', 'evt_9']);
    await close();
  });

  // management#won-back-and-lost
  test('gives the attempts of an earlier release their project, and what stopped or ended then the date of its last event', async () => {
    const file = ++files;
    const db = connect(file);
    await migrate(
      db,
      sqliteTraits,
      Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0019')),
    );
    const project = aProject();
    const plan = aPlan({ projectId: project.id });
    await sql`insert into projects (id, name, tier, created_at) values (${project.id}, 'A', 'dev', 0)`.execute(
      db,
    );
    await sql`pragma foreign_keys = off`.execute(db);
    const row = (id: string, status: string, reasons: { stop?: string; end?: string }) =>
      sql`insert into subscriptions (id, project_id, plan_id, version, status, wallet, address, terms_signed,
          last_announced_access, last_sequence, last_event_at, paid_count, paid_amount, created_at, stop_reason, end_reason)
        values (${id}, ${project.id}, ${plan.id}, 1, ${status}, ${id}, ${id}, 1, 0, 0, 5, 0, '0', 1,
          ${reasons.stop ?? null}, ${reasons.end ?? null})`.execute(db);
    await row('sub_1', 'stopped', { stop: 'out_of_retries' });
    await row('sub_2', 'ended', { end: 'closed' });
    await row('sub_3', 'active', {});
    await sql`insert into attempts (id, subscription_id, attempted_at, outcome, amount, retry)
      values ('att_1', 'sub_3', 4, 'paid', '7', 0)`.execute(db);
    await db.destroy();
    opened.splice(opened.indexOf(db), 1);

    const { store, close } = await openSqliteStore({ path: `${path}-${file}` });
    const [since, until] = [new Date(4), new Date(6)];
    expect((await store.listProjectAttempts(project.id, since, until, null, 9)).attempts).toMatchObject([
      { id: 'att_1', planId: plan.id, amount: 7n },
    ]);
    const lost = (await store.countLost(project.id, since, until)).map(({ reason, count }) => [
      reason,
      count,
    ]);
    expect(lost.toSorted()).toEqual([
      ['closed', 1],
      ['out_of_retries', 1],
    ]);
    await close();
  });

  test('opening a file that a newer release migrated fails with SchemaDriftError and closes the file', async () => {
    const name = `${path}-${++files}`;
    const { close } = await openSqliteStore({ path: name });
    await close();
    const file = new SqliteFile(name);
    file.exec("insert into subrail_migrations values ('0999_later#00', '2030-01-01T00:00:00.000Z')");
    file.close();
    await expect(openSqliteStore({ path: name })).rejects.toThrow(/migrated by a newer release/);
  });
});
