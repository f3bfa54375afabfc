// Heavy: others write to tables while migrations run on them.

import { Unavailable } from '@subrail/core/ports';
import { anEndpoint, aPlan, aProject, aSubscription, aTransfer } from '@subrail/core/testing';
import { Kysely, sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createKyselyStore, migrate, type Database } from '../../kysely/index.js';
import { MIGRATIONS } from '../../kysely/migrations/index.js';
import { transferTable } from '../../kysely/tables/charges.js';
import { subscriptionTable } from '../../kysely/tables/subscriptions.js';
import { postgresDialect, postgresTraits } from '../../kysely/engines/postgres.js';
import { PostgresDriver } from '../driver.js';
import { openPostgresStore } from '../index.js';
import { openMigrationPool } from '../pool.js';
import { useDatabase } from './use-database.js';

const project = aProject();
const endpoint = anEndpoint({ projectId: project.id });

describe('on PostgreSQL', () => {
  const { url, operator, closeLater } = useDatabase();

  /** Makes a database of this release, with a project and an endpoint. */
  async function migrated(): Promise<Kysely<Database>> {
    const driver = new PostgresDriver(openMigrationPool({ url: url() }), false);
    closeLater(() => driver.destroy());
    const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
    await migrate(db, postgresTraits);
    const store = createKyselyStore(db, postgresTraits);
    await store.insertProject(project);
    await store.insertEndpoint(endpoint);
    return db;
  }

  async function open() {
    const reports: string[] = [];
    const { store, close } = await openPostgresStore({
      url: url(),
      report: (sentence) => reports.push(sentence),
    });
    closeLater(close);
    return { store, reports };
  }

  /** Another client of the database, which gives up soon when it has to wait for a lock. */
  const client = () => operator({ lock_timeout: 500 });

  interface Count {
    readonly count: number;
  }

  const BUILDS = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and state = 'active' and query like 'create % concurrently%'`;

  async function untilBuilds(other: pg.Client): Promise<void> {
    await expect.poll(async () => (await other.query<Count>(BUILDS)).rows).toEqual([{ count: 1 }]);
  }

  const INDEX = 'deliveries_not_delivered_to_endpoint';

  const built = (name: string, table: string) =>
    `The index ${name} of ${table} is built. That takes long on a large table. Other hosts go on; this one does when it is built.`;

  test('an index of the next release is built while others write to its table, and the migration is not held up', async () => {
    const db = await migrated();
    const [slow, other] = [await client(), await client()];
    await slow.query('begin');
    await slow.query(`delete from deliveries where id = 'none'`);
    const reports: string[] = [];
    const next = {
      '9999_next': ['create table notes (id text)', 'create index deliveries_of_type on deliveries (type)'],
    };
    const migrating = migrate(db, postgresTraits, { ...MIGRATIONS, ...next }, (report) =>
      reports.push(report),
    );
    // The build waits for the transaction that has used the table, and nobody waits for the build.
    await untilBuilds(other);
    await other.query(`delete from deliveries where id = 'none'`);
    expect((await other.query('select * from notes')).rows).toEqual([]);
    await slow.query('commit');
    await migrating;
    expect(reports).toEqual([built('deliveries_of_type', 'deliveries')]);
    await migrate(db, postgresTraits, { ...MIGRATIONS, ...next }, (report) => reports.push(report));
    expect(reports).toHaveLength(1);
  });

  test('a build that was broken off is done again by the next start, once among those that start together', async () => {
    await sql`drop index ${sql.ref(INDEX)}`.execute(await migrated());
    const [slow, other] = [await client(), await client()];
    await slow.query('begin');
    await slow.query(`delete from deliveries where id = 'none'`);
    const refused = expect(open()).rejects.toThrow(/terminating connection|cannot be used now/);
    await untilBuilds(other);
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create % concurrently%' and pid <> pg_backend_pid()`,
    );
    await refused;
    await slow.query('commit');
    const valid = `select indisvalid as valid from pg_index where indexrelid = '${INDEX}'::regclass`;
    expect((await other.query(valid)).rows).toEqual([{ valid: false }]);
    const started = await Promise.all([open(), open(), open()]);
    const waited = 'Another process builds indexes of the database. This one goes on when they are built.';
    const reports = started.flatMap((one) => one.reports).filter((report) => report !== waited);
    expect(reports).toEqual([built(INDEX, 'deliveries')]);
    expect((await other.query(valid)).rows).toEqual([{ valid: true }]);
  });

  test('a change of a table gives way to others while a long transaction uses the table', async () => {
    const db = await migrated();
    const [slow, other] = [await client(), await client()];
    await slow.query('begin');
    await slow.query('select count(*) from endpoints');
    const reports: string[] = [];
    const note = { '9999_note': ['alter table endpoints add column note text'] };
    const migrating = migrate(db, postgresTraits, { ...MIGRATIONS, ...note }, (report) =>
      reports.push(report),
    );
    const waits = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table%'`;
    await expect.poll(async () => (await other.query<Count>(waits)).rows).toEqual([{ count: 1 }]);
    // What waits behind the change goes on as soon as the change has given way.
    await other.query(`set lock_timeout = '5s'`);
    await other.query(`update endpoints set version = version + 1`);
    await slow.query('commit');
    await migrating;
    expect(reports).toEqual([
      'A table that a migration changes is in use by a transaction that has taken long, as that of a backup does. The migration is tried again for two minutes.',
    ]);
    expect((await other.query('select note from endpoints')).rows).toEqual([{ note: null }]);
  });

  test('a statement of a migration may take an hour, and waits for a lock for two seconds', async () => {
    const db = await migrated();
    const limits = `create table limits as
      select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout')`;
    await migrate(db, postgresTraits, { ...MIGRATIONS, '9999_limits': [limits] });
    const { rows } = await sql`select name, setting from limits order by name`.execute(db);
    expect(rows).toEqual([
      { name: 'lock_timeout', setting: '2000' },
      { name: 'statement_timeout', setting: '3600000' },
    ]);
  });

  test('a migration that the server ends is unavailable, with the words of the server', async () => {
    const admin = await client();
    await admin.query(`create function ends() returns event_trigger language plpgsql as
      $$ begin raise exception 'canceling statement due to statement timeout' using errcode = 'query_canceled'; end $$`);
    await admin.query('create event trigger ends on ddl_command_start execute function ends()');
    const ended = open();
    await expect(ended).rejects.toThrow(Unavailable);
    await expect(ended).rejects.toThrow(
      'The Postgres database cannot be used now: canceling statement due to statement timeout. Try again.',
    );
  });

  // invariants#one-payment-per-period
  test('a guard that is missing is built, and a database whose rows it forbids is refused', async () => {
    const db = await migrated();
    const plan = aPlan({ projectId: project.id });
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    await createKyselyStore(db, postgresTraits).insertPlan(plan);
    await db.insertInto('subscriptions').values(subscriptionTable.encode(subscription)).execute();
    await sql`drop index transfers_open`.execute(db);
    const first = aTransfer({ subscriptionId: subscription.id });
    const second = aTransfer({ subscriptionId: subscription.id });
    for (const transfer of [first, second])
      await db.insertInto('transfers').values(transferTable.encode(transfer)).execute();
    const leftOf = `select relname as name from pg_class where relname like 'transfers_open%' order by relname`;
    for (let opens = 0; opens < 3; opens++) {
      await expect(openPostgresStore({ url: url() })).rejects.toThrow(/ transfers_open was changed\./);
      expect((await (await client()).query(leftOf)).rows).toEqual([{ name: 'transfers_open' }]);
    }
    await db.deleteFrom('transfers').where('id', '=', second.id).execute();
    expect((await open()).reports).toEqual([built('transfers_open', 'transfers')]);
  });
});
