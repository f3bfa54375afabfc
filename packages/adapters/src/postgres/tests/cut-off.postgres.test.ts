import { Unavailable } from '@subrail/core/ports';
import { aProject } from '@subrail/core/testing';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { useDatabase } from './use-database.js';

// What the server ends or refuses while hosts are in the middle of their work.
describe('on PostgreSQL', () => {
  const { url, open, operator, closeLater } = useDatabase();

  /** The processes of the server in which a statement of a store waits for a lock, once there are so many. */
  async function untilWaiting(observer: pg.Client, count: number): Promise<readonly number[]> {
    const waiting = async () => {
      const { rows } = await observer.query<{ pid: number }>(
        `select pid from pg_stat_activity
         where datname = current_database() and application_name = 'subrail' and state = 'active' and wait_event_type = 'Lock'`,
      );
      return rows.map(({ pid }) => pid);
    };
    await expect.poll(waiting).toHaveLength(count);
    return waiting();
  }

  test('a host that freezes within a transaction loses its locks, and the write of another host that waits for them goes on', async () => {
    // Longer than a busy machine needs between two statements, and short enough to wait for.
    const frozen = await open({ timeouts: { idleInTransactionMs: 1_000 } });
    const other = await open();
    const [admin, observer] = [await operator(), await operator()];
    const [first, second] = [aProject(), aProject()];
    for (const project of [first, second]) await other.insertProject(project);

    // The operator keeps the transaction in a statement until the other host waits for it.
    await admin.query('begin');
    await admin.query('select from projects where id = $1 for update', [second.id]);
    let thaw: () => void = () => undefined;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    const refused = expect(
      frozen.transaction(async (operations) => {
        await operations.updateProject({ ...first, name: 'frozen' });
        await operations.updateProject({ ...second, name: 'frozen' });
        await thawed;
        await operations.updateProject({ ...first, name: 'frozen again' });
      }),
    ).rejects.toThrow(Unavailable);
    await untilWaiting(observer, 1);
    const writing = other.updateProject({ ...first, name: 'other' });
    await untilWaiting(observer, 2);
    await admin.query('rollback');
    await writing;
    thaw();
    await refused;
    expect(await frozen.findProject(first.id)).toEqual({ ...first, name: 'other' });
    expect(await frozen.findProject(second.id)).toEqual(second);
  });

  test.each(['a statement', 'a transaction'])(
    '%s that the server cuts while it runs is unavailable and wrote nothing, and the next one works on another connection',
    async (what) => {
      const store = await open({ poolSize: 1 });
      const [admin, observer] = [await operator(), await operator()];
      const project = aProject();
      await store.insertProject(project);
      await admin.query('begin');
      await admin.query('select from projects where id = $1 for update', [project.id]);
      const changed = { ...project, name: 'Changed' };
      const writing =
        what === 'a statement'
          ? store.updateProject(changed)
          : store.transaction(async (operations) => {
              await operations.insertProject(aProject());
              await operations.updateProject(changed);
            });
      const refused = expect(writing).rejects.toThrow(Unavailable);
      const [cut] = await untilWaiting(observer, 1);
      await observer.query('select pg_terminate_backend($1)', [cut]);
      await refused;
      await admin.query('rollback');
      expect(await store.listProjects()).toEqual([project]);
      await store.updateProject(changed);
      expect(await store.listProjects()).toEqual([changed]);
      const { rows } = await observer.query(
        "select from pg_stat_activity where datname = current_database() and application_name = 'subrail' and pid <> $1",
        [cut],
      );
      expect(rows).toHaveLength(1);
    },
  );

  test('a connection beyond those that the server allows is unavailable until one is free', async () => {
    const admin = await operator();
    // The server does not limit those of a superuser.
    await admin.query("drop role if exists limited; create role limited login password 'limited'");
    closeLater(() => admin.query('drop owned by limited; drop role limited'));
    await admin.query('grant create on schema public to limited');
    const address = Object.assign(new URL(url()), { username: 'limited', password: 'limited' });
    const store = await open({ url: address.href, poolSize: 2 });
    const project = aProject();
    await store.insertProject(project);
    const holder = await operator({ connectionString: address.href });
    await admin.query('alter role limited connection limit 2');
    await store.transaction(async (operations) => {
      await operations.updateProject({ ...project, name: 'Changed' });
      const refused: unknown = await store.findProject(project.id).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Unavailable);
      expect(refused).toMatchObject({ cause: { code: '53300' } });
      await holder.end();
      // The server counts a connection for a moment after it was closed.
      await expect.poll(() => store.findProject(project.id).catch(() => null)).toEqual(project);
    });
    expect((await store.findProject(project.id))?.name).toBe('Changed');
  });
});
