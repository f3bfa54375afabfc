// Heavy: hosts of an earlier release write while each migration runs.

import { Unavailable } from '@subrail/core/ports';
import { anEndpoint, aPlan, aProject, aSubscription, aTransfer } from '@subrail/core/testing';
import { POSTGRES_MAJORS } from '@subrail/test-postgres';
import { Kysely, sql, type Insertable } from 'kysely';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createKyselyStore, migrate, type Database } from '../../kysely/index.js';
import { MIGRATIONS } from '../../kysely/migrations/index.js';
import { transferTable } from '../../kysely/tables/charges.js';
import { planTable } from '../../kysely/tables/projects.js';
import { subscriptionTable } from '../../kysely/tables/subscriptions.js';
import { postgresDialect, postgresTraits } from '../../postgres-engine.js';
import { PostgresDriver } from '../driver.js';
import { openPostgresStore } from '../index.js';
import { openMigrationPool } from '../pool.js';
import { useDatabase } from './use-database.js';

const project = aProject();
const endpoint = anEndpoint({ projectId: project.id });

describe.each(POSTGRES_MAJORS)('on PostgreSQL %s', (major) => {
  const { url, operator, closeLater } = useDatabase(major);

  /** Makes a database of an earlier schema, with a project and an endpoint. */
  async function migrateTo(last: string): Promise<Kysely<Database>> {
    const driver = new PostgresDriver(openMigrationPool({ url: url() }), false);
    closeLater(() => driver.destroy());
    const db = new Kysely<Database>({ dialect: postgresDialect(driver) });
    const earlier = Object.entries(MIGRATIONS).filter(([name]) => name <= last);
    await migrate(db, postgresTraits, Object.fromEntries(earlier));
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

  /** What a host reports that starts on a database of the migration before that of this index. */
  const BUILT = [
    [INDEX, 'deliveries'],
    ['subscriptions_expired_checkouts', 'subscriptions'],
    ['subscriptions_parked_longest', 'subscriptions'],
    ['subscriptions_parked_of_wallet', 'subscriptions'],
  ].map(
    ([name, table]) =>
      `The index ${name} of ${table} is built. That takes long on a large table. Other hosts go on; this one does when it is built.`,
  );

  test('an index is built while others write to its table', async () => {
    await migrateTo('0023');
    const [slow, other] = [await client(), await client()];
    await slow.query('begin');
    await slow.query(`delete from deliveries where id = 'none'`);
    const opening = open();
    // The build waits for the transaction that has used the table, and nobody waits for the build.
    await untilBuilds(other);
    await other.query(`delete from deliveries where id = 'none'`);
    await slow.query('commit');
    const { store, reports } = await opening;
    expect(reports).toEqual(BUILT);
    expect(await store.findEndpoint(project.id, endpoint.id)).toEqual(endpoint);
    expect((await open()).reports).toEqual([]);
  });

  test('a build that was broken off is done again by the next start, once among those that start together', async () => {
    await migrateTo('0023');
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
    expect(reports).toEqual(BUILT);
    expect((await other.query(valid)).rows).toEqual([{ valid: true }]);
  });

  test('a database whose old indexes were dropped by hand is migrated', async () => {
    const db = await migrateTo('0024');
    await sql`drop index subscriptions_next_try`.execute(db);
    expect(await (await open()).store.findEndpoint(project.id, endpoint.id)).toEqual(endpoint);
  });

  test.each(['read committed', 'repeatable read', 'serializable'])(
    'a row that is being written when the migration of dates begins is found by its new date, also where %s is the default',
    async (isolation) => {
      const db = await migrateTo('0024');
      const plan = aPlan({ projectId: project.id });
      const subscription = aSubscription({ projectId: project.id, planId: plan.id });
      const [slow, other] = [await client(), await client()];
      const { one_per_customer: _later, token_names: _latest, ...planRow } = planTable.encode(plan);
      await db
        .insertInto('plans')
        .values(planRow as Insertable<Database['plans']>)
        .execute();
      const row = subscriptionTable.encode(subscription);
      await db.insertInto('subscriptions').values(row).execute();
      await slow.query(
        `do $$ begin execute format('alter database %I set default_transaction_isolation = %L', current_database(), '${isolation}'); end $$`,
      );
      await slow.query('begin');
      await slow.query('update subscriptions set wake_at = 7');
      const opening = open();
      const waits = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'create trigger%'`;
      await expect.poll(async () => (await other.query<Count>(waits)).rows).toEqual([{ count: 1 }]);
      await slow.query('commit');
      expect(await (await opening).store.nextWakeAt()).toEqual(new Date(7));
    },
  );

  test('a change of a table gives way to others while a long transaction uses the table', async () => {
    const db = await migrateTo('9999');
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
    const db = await migrateTo('9999');
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
    const db = await migrateTo('9999');
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
    expect((await open()).reports).toEqual([
      'The index transfers_open of transfers is built. That takes long on a large table. Other hosts go on; this one does when it is built.',
    ]);
  });
});
