// Heavy: servers and connections fail in some twenty ways.

import { Unavailable } from '@subrail/core/ports';
import { aCommit, anEvent, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { createKyselyStore } from '../../kysely/index.js';
import { postgresTraits } from '../../kysely/engines/postgres.js';
import { connect } from '../connect.js';
import { openMigrationPool, openPool, type PostgresOptions } from '../pool.js';
import { openPostgresStore } from '../index.js';
import { useDatabase } from './use-database.js';
import { storedPlan } from '../../tests/stored-plan.js';

const OTHERS = `select count(pg_terminate_backend(pid)) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

describe('on PostgreSQL', () => {
  const { url, open, operator, network, closeLater } = useDatabase();

  /** A store that is connected, and its pool, whose time-outs the test then makes short. */
  async function openOnPool(options: Partial<PostgresOptions>) {
    await (await openPostgresStore({ url: url() })).close();
    const all = { url: url(), ...options };
    const pool = openPool(all);
    const { db, close } = await connect(pool, all);
    closeLater(close);
    return { store: createKyselyStore(db, postgresTraits), pool };
  }

  describe('a database that cannot be opened is refused with a sentence that has no password:', () => {
    test.each([
      ['a wrong password', { password: 'hunter2' }, /refuses the password of the user postgres/],
      [
        'a database that does not exist',
        { pathname: '/nowhere' },
        /has no database nowhere\. Create it: createdb --owner=postgres .* nowhere$/,
      ],
      [
        'a server that does not run',
        { port: '1' },
        /^No Postgres server can be reached at 127\.0\.0\.1:1\./,
        'Unavailable',
      ],
      [
        'a file that is missing',
        { search: '?sslrootcert=/nowhere.pem' },
        /^A file that the address .* cannot be read: .*nowhere\.pem/,
      ],
      [
        'a server without TLS',
        { search: '?sslmode=verify-full' },
        /^The connection to the Postgres server at .* was refused: .* Check sslmode/,
      ],
    ])('%s', async (_, parts, message, name = 'PostgresRefusal') => {
      const address = Object.assign(new URL(url()), parts);
      const refused = await openPostgresStore({ url: address.href }).catch((error: unknown) => error);
      expect((refused as Error).name).toBe(name);
      expect((refused as Error).message).toMatch(message);
      expect((refused as Error).message).not.toContain(address.password);
    });

    test('a user that may create no tables', async () => {
      const admin = await operator();
      await admin.query("drop role if exists guest; create role guest login password 'guest'");
      closeLater(() => admin.query('drop role guest'));
      const address = Object.assign(new URL(url()), { username: 'guest', password: 'guest' });
      await expect(openPostgresStore({ url: address.href })).rejects.toThrow(
        /^The user guest may not create tables in/,
      );
    });
  });

  describe('what passes is unavailable, and the store works again afterwards:', () => {
    test('a server that ends connections, used or not', async () => {
      const store = await open();
      const admin = await operator();
      const project = aProject();
      await store.insertProject(project);
      await admin.query(OTHERS);
      // The pool notices a connection that ended while nobody used it.
      await expect.poll(() => store.findProject(project.id).catch(() => null)).toEqual(project);

      const working = store.transaction(async (operations) => {
        await operations.updateProject({ ...project, name: 'Undone' });
        await admin.query(OTHERS);
        await operations.updateProject({ ...project, name: 'Undone too' });
      });
      await expect(working).rejects.toThrow(Unavailable);
      expect((await store.findProject(project.id))?.name).toBe(project.name);
    });

    test('a statement that waits for a lock too long, and one that runs too long', async () => {
      const store = await open({ timeouts: { lockMs: 1_000 } });
      const slow = await open({ timeouts: { statementMs: 1_000 } });
      const project = aProject();
      await store.insertProject(project);
      const admin = await operator();
      await admin.query('begin; lock table projects in access exclusive mode');
      await expect(store.findProject(project.id)).rejects.toThrow(Unavailable);
      await expect(slow.findProject(project.id)).rejects.toThrow(Unavailable);
      await admin.query('commit');
      expect(await store.findProject(project.id)).toEqual(project);
      expect(await slow.findProject(project.id)).toEqual(project);
    });

    test('a pool whose connections are all in use', async () => {
      const { store, pool } = await openOnPool({ poolSize: 1 });
      pool.options.connectionTimeoutMillis = 500;
      const project = aProject();
      await store.transaction(async (operations) => {
        await operations.insertProject(project);
        await expect(store.findProject(project.id)).rejects.toThrow(Unavailable);
      });
      expect(await store.findProject(project.id)).toEqual(project);
    });

    test('a network that swallows everything', async () => {
      const { url: through, silence } = await network();
      const { store, pool } = await openOnPool({
        url: through,
        timeouts: { statementMs: 500, lostAnswerMs: 50 },
      });
      pool.options.connectionTimeoutMillis = 500;
      const project = aProject();
      silence();
      await expect(store.insertProject(project)).rejects.toThrow(Unavailable);
      await expect(store.insertProject(project)).rejects.toThrow(Unavailable);
    });

    test('a server that became a standby, which only reads', async () => {
      const store = await open({ poolSize: 1 });
      const admin = await operator();
      const name = new URL(url()).pathname.slice(1);
      await admin.query(`alter database ${name} set default_transaction_read_only = on`);
      await admin.query(OTHERS);
      await expect.poll(() => store.listProjects().catch(() => null)).toEqual([]);
      await expect(store.insertProject(aProject())).rejects.toThrow(Unavailable);
      await admin.query(
        `set default_transaction_read_only = off; alter database ${name} reset all; ${OTHERS}`,
      );
      const insert = async () =>
        store.insertProject(aProject()).then(
          () => 'inserted',
          () => 'refused',
        );
      await expect.poll(insert).toBe('inserted');
    });

    test('a server that became a standby while its connections stay', async () => {
      const store = await open({ poolSize: 1 });
      const admin = await operator();
      const name = new URL(url()).pathname.slice(1);
      await store.listProjects();
      await admin.query(`alter database ${name} set default_transaction_read_only = on`);
      // Of this connection only; the next one has it from the database.
      const readOnly = await openPostgresStore({ url: url(), poolSize: 1 });
      closeLater(readOnly.close);
      await expect(readOnly.store.insertProject(aProject())).rejects.toThrow(Unavailable);
      await admin.query(`set default_transaction_read_only = off; alter database ${name} reset all`);
      await readOnly.store.insertProject(aProject());
    });

    test('a password that was changed while the store is open', async () => {
      const admin = await operator();
      await admin.query("drop role if exists shop; create role shop superuser login password 'one'");
      const address = Object.assign(new URL(url()), { username: 'shop', password: 'one' });
      const store = await open({ url: address.href, poolSize: 1 });
      await admin.query(`alter role shop password 'two'; ${OTHERS}`);
      const list = () => store.listProjects().catch((error: unknown) => error);
      await expect
        .poll(list)
        .toMatchObject({ message: /^No connection to the Postgres database can be made now/ });
      await admin.query("alter role shop password 'one'");
      expect(await list()).toEqual([]);
    });

    test('a store that is closed, after it served its earlier callers', async () => {
      const { store, close } = await openPostgresStore({ url: url(), poolSize: 1 });
      const projects = Array.from({ length: 5 }, () => aProject());
      const inserted = Promise.all(projects.map((project) => store.insertProject(project)));
      const closed = close();
      await expect(store.listProjects()).rejects.toThrow(Unavailable);
      await Promise.all([inserted, closed]);
      expect(close()).toBe(closed);
      expect(await (await open()).listProjects()).toHaveLength(5);
    });
  });

  // invariants#one-payment-per-period
  test('a commit whose answer was lost is found done, and cannot be done twice', async () => {
    const { url: through, cutAtAnswer } = await network();
    const store = await open({ url: through });
    const { project, plan } = await storedPlan(store);
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    const event = anEvent({
      ...{ projectId: project.id, subscriptionId: subscription.id },
      ...{ type: 'subscription.created' as const, createdAt: MADE_AT },
    });
    const commit = () => store.commit([aCommit(subscription, { events: [event] })]);
    cutAtAnswer('COMMIT');
    await expect(commit()).rejects.toThrow(Unavailable);
    expect(await store.findSubscription(project.id, subscription.id)).not.toBeNull();
    expect(await commit()).toBe('lost');
    const page = { limit: 10, startingAfter: null };
    const { data } = (await store.listEvents(
      project.id,
      MADE_AT,
      { type: null, subscriptionId: null },
      page,
    )) as { data: readonly unknown[] };
    expect(data).toHaveLength(1);
  });

  test('a transaction whose work went on after a statement had failed is not taken for written', async () => {
    const store = await open();
    const project = aProject();
    await store.insertProject(project);
    const swallowing = store.transaction(async (operations) => {
      await operations.insertProject(aProject());
      await operations.insertProject(project).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow(/^Nothing of the transaction was written/);
    expect(await store.listProjects()).toEqual([project]);
  });

  test('an error has no value of the row that it is about', async () => {
    const store = await open();
    const project = aProject({ name: 'A secret name' });
    await store.insertProject(project);
    const refused = await store.insertProject(project).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: '23505' });
    expect(JSON.stringify(Object.values(refused as object))).not.toContain(project.id);
  });

  describe('what the database undoes because of others runs again:', () => {
    test('two changes of a project at once, of which neither is lost', async () => {
      const stores = [await open(), await open()];
      const project = aProject({ subscriberLimit: 0 });
      await stores[0]?.insertProject(project);
      const add = (store: (typeof stores)[number]) =>
        store.transaction(async (operations) => {
          const read = await operations.findProject(project.id);
          if (read === null) throw new Error('The project is gone.');
          await operations.updateProject({ ...read, subscriberLimit: (read.subscriberLimit ?? 0) + 1 });
        });
      await Promise.all([...stores, ...stores, ...stores, ...stores].map(add));
      expect((await stores[1]?.findProject(project.id))?.subscriberLimit).toBe(8);
    });

    test('a statement that lost a deadlock', async () => {
      const store = await open();
      const admin = await operator();
      const [first, second] = [aProject(), aProject()];
      for (const project of [first, second]) await store.insertProject(project);
      await admin.query('set deadlock_timeout = 600000; begin');
      await admin.query('update projects set name = $2 where id = $1', [second.id, 'operator']);
      let runs = 0;
      const working = store.transaction(async (operations) => {
        runs++;
        await operations.updateProject({ ...first, name: 'store' });
        const blocked = operations.updateProject({ ...second, name: 'store' });
        if (runs === 1)
          void admin
            .query('update projects set name = $2 where id = $1', [first.id, 'operator'])
            .then(() => admin.query('commit'));
        await blocked;
      });
      await working;
      // Once more when it ran again before the operator's commit had come to its end.
      expect([2, 3]).toContain(runs);
      expect((await store.listProjects()).map(({ name }) => name)).toEqual(['store', 'store']);
    });
  });

  test('a write that conflicts each time it runs is given up as unavailable after twelve runs', async () => {
    const store = await open();
    const admin = await operator();
    // A sequence counts what is rolled back too.
    await admin.query(`create sequence runs;
    create function conflict() returns trigger language plpgsql as
      $$ begin perform nextval('runs'); raise exception 'could not serialize access' using errcode = '40001'; end $$;
    create trigger conflicts before insert on projects for each row execute function conflict()`);
    const insert = {
      statement: () => store.insertProject(aProject()),
      transaction: () => store.transaction((operations) => operations.insertProject(aProject())),
    };
    for (const [runs, write] of [
      [12, insert.statement],
      [24, insert.transaction],
    ] as const) {
      const refused: unknown = await write().catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Unavailable);
      expect(refused).toMatchObject({
        message: /^Too many others write the same rows/,
        cause: { code: '40001' },
      });
      expect((await admin.query('select last_value::int as runs from runs')).rows).toEqual([{ runs }]);
    }
    await admin.query('drop trigger conflicts on projects');
    expect(await store.listProjects()).toEqual([]);
  });

  describe('the schema', () => {
    test('has the collation C in every column of text, whatever that of the database', async () => {
      await open();
      const { rows } = await (
        await operator()
      ).query<{ name: string }>(
        `select attrelid::regclass || '.' || attname as name from pg_attribute
       join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
       join pg_collation on pg_collation.oid = attcollation
       where attnum > 0 and not attisdropped and collname <> 'C' and relname not like 'subrail_migrations%'`,
      );
      expect(rows).toEqual([]);
    });

    test('is migrated once by many that start at the same time', async () => {
      const stores = await Promise.all(Array.from({ length: 6 }, () => open({ poolSize: 1 })));
      for (const store of stores) expect(await store.listProjects()).toEqual([]);
    });

    test('is migrated without the time-outs of the role', async () => {
      const admin = await operator();
      await admin.query(
        "drop role if exists hurried; create role hurried superuser login password 'hurried'",
      );
      closeLater(async () => {
        await admin.query('drop role hurried');
      });
      const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
      for (const name of timeouts) await admin.query(`alter role hurried set ${name} = '10s'`);
      const address = Object.assign(new URL(url()), { username: 'hurried', password: 'hurried' });
      const pool = openMigrationPool({ url: address.href });
      for (const name of timeouts)
        expect((await pool.query<Record<string, string>>(`show ${name}`)).rows).toEqual([{ [name]: '0' }]);
      await pool.end();
    });

    test('that has the schema is opened without a change of the time-outs, which a proxy would leave to others', async () => {
      await open();
      const query = vi.spyOn(pg.Client.prototype, 'query');
      await open();
      const texts = query.mock.calls.map(([given]) => JSON.stringify(given));
      query.mockRestore();
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter((text) => text.includes('set_config'))).toEqual([]);
    });

    test('of a newer release is refused', async () => {
      await open();
      await (await operator()).query("insert into subrail_migrations values ('9999_future#0', now())");
      await expect(openPostgresStore({ url: url() })).rejects.toThrow(
        /^The database has migration 9999_future, which this release does not know/,
      );
    });
  });
});
