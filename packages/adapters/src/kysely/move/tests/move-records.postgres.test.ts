// Heavy: each move has two databases of its own.

import { aCommit, anEvent, aProject, aSubscription, aTransfer, MADE_AT } from '@subrail/core/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { cancelMove, moveRecords } from '../../index.js';
import type { MoveProgress } from '../move-records.js';
import type { MoveSource, MoveTarget } from '../ends.js';
import { appliedMigrations } from '../../applied-migrations.js';
import { claimTarget, leaveSource } from '../claim.js';
import { markAmong } from '../mark.js';
import { Interrupted } from './interrupting.js';
import { fillEveryTable, type Filled } from './records-of-every-table.js';
import { postgresPlace, sqlitePlace, type Place } from './place.js';
import { rowsOf, withMovable, withStore } from './with-place.js';

/** The amount that `fillEveryTable` writes. */
const LARGEST = 2n ** 64n - 1n;

const onPostgres = () => postgresPlace(inject('postgres'));

describe('moving records from SQLite to PostgreSQL', () => {
  let source: Place<MoveSource>;
  let target: Place<MoveTarget>;
  let filled: Filled;
  const opened: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    [source, target] = [sqlitePlace(), await onPostgres()];
    filled = await withStore(source, (store) => fillEveryTable(store));
  });
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
    await source.remove();
    await target.remove();
  });

  const storeOf = async (place: Place<unknown>) => {
    const { store, close } = await place.openStore();
    opened.push(close);
    return store;
  };
  const move = (
    ofSource: Partial<MoveSource> = {},
    progress?: Parameters<typeof moveRecords>[2],
    ofTarget: Partial<MoveTarget> = {},
  ) =>
    withMovable(source, (here) =>
      withMovable(target, (there) =>
        moveRecords({ ...here, ...ofSource }, { ...there, ...ofTarget }, progress),
      ),
    );
  const rowsIn = (place: Place<MoveSource | MoveTarget>) => withMovable(place, rowsOf);
  const cancel = () => withMovable(source, cancelMove);

  test('moves every row of every table, and reports their numbers and the sums of their amounts', async () => {
    const before = await rowsIn(source);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([]);
    const totals = await move();
    expect(await rowsIn(target)).toEqual(before);
    expect(totals.map(({ table, rows }) => [table, rows])).toEqual(
      Object.entries(before)
        // The database itself writes these.
        .filter(([table]) => table !== 'subscription_dates')
        .map(([table, rows]) => [table, rows.length]),
    );
    const sums = Object.fromEntries(totals.map(({ table, sums }) => [table, sums]));
    expect(sums).toMatchObject({
      subscriptions: { paid_amount: LARGEST * 3n + 20_000_000n },
      attempts: { amount: LARGEST, amount_received: 10_000_000n },
      transfers: { amount: LARGEST + 10_000_000n },
    });
  });

  test('the service goes on where it was: positions, versions and the open transfer are those of the source', async () => {
    await move();
    const store = await storeOf(target);
    const { projectId, subscription } = filled;
    expect(await store.findSubscription(projectId, subscription.id)).toEqual(subscription);
    expect(await store.findOpenTransfer(subscription.id)).toMatchObject({ state: 'open' });
    const next = { ...subscription, version: 2, lastSequence: 4 };
    const of = { projectId, subscriptionId: subscription.id };
    const event = anEvent({ ...of, sequence: 4 });
    const second = aTransfer({ subscriptionId: subscription.id });
    expect(await store.commit([aCommit(next, { transfers: [second] })])).toBe('lost');
    expect(await store.commit([aCommit(next, { events: [event] })])).toBe('committed');
    const page = await store.listEvents(
      projectId,
      new Date(0),
      { type: null, subscriptionId: null },
      { limit: 9, startingAfter: null },
    );
    expect(page).toMatchObject({
      data: [{ sequence: 4 }, { sequence: 3 }, { sequence: 2 }, { sequence: 1 }],
    });
  });

  test('replaces what Postgres cannot store in what an endpoint answered', async () => {
    await withMovable(source, ({ db }) =>
      sql`update deliveries set last_excerpt = 'o' || char(0) || 'k' where attempts = 1`.execute(db),
    );
    await move();
    const { rows } = await withMovable(target, ({ db }) =>
      sql`select last_excerpt from deliveries where attempts = 1`.execute(db),
    );
    expect(rows).toEqual([{ last_excerpt: 'o\uFFFDk' }]);
  });

  test('no host starts on either database before the end, and none on the source afterwards', async () => {
    const starts: string[] = [];
    await move({}, async () => {
      for (const place of [source, target])
        await place.openStore().then(
          () => starts.push('started'),
          (error: unknown) => starts.push(String(error)),
        );
    });
    expect(new Set(starts)).toEqual(
      new Set([
        expect.stringMatching(
          /^MovedDatabaseError: The records of this database are being moved to another one/,
        ),
        expect.stringMatching(/^MovedDatabaseError: This database has only a part of the records/),
      ]),
    );
    await expect(source.openStore()).rejects.toThrow(
      /^The records of this database were moved to another one, which charges since then/,
    );
    await storeOf(target);
  });

  test('a host that has the source open keeps a move from beginning', async () => {
    const store = await storeOf(source);
    await store.listProjects();
    await expect(move()).rejects.toThrow(
      /^Another process has the database to move from open, such as a host/,
    );
    await withStore(source, (store) => store.insertProject(aProject()));
  });

  test('the engine of the source refuses what a host that was overlooked writes', async () => {
    const store = await storeOf(source);
    const { projectId, subscription } = filled;
    const before = await rowsIn(source);
    await move({ isInUse: false });
    const later = new Date(MADE_AT.getTime() + 1e12);
    const writes = [
      store.claimDue(later, 10, 1000),
      store.commit([aCommit({ ...subscription, version: 2 })]),
      store.commit([aCommit(aSubscription({ projectId, planId: subscription.planId }))]),
      store.claimEndpoints(later, { healthy: 9, failing: 9 }, 1000),
      store.insertProject(aProject()),
    ];
    const results = await Promise.allSettled(writes);
    expect(results.map(({ status }) => status)).toEqual(writes.map(() => 'rejected'));
    expect(await rowsIn(source)).toEqual(before);
  });

  test('refuses a target that is not empty, and leaves both as they were', async () => {
    const project = aProject();
    await withStore(target, (store) => store.insertProject(project));
    await expect(move()).rejects.toThrow(/^The database to move to has tables of a service already/);
    expect(await withStore(target, (store) => store.listProjects())).toEqual([project]);
    await withStore(source, (store) => store.insertProject(aProject()));
  });

  test('refuses a source that lacks migrations', async () => {
    const forget = sql`delete from subrail_migrations where name >= '0001'`;
    await withMovable(source, ({ db }) => forget.execute(db));
    await expect(move()).rejects.toThrow(/lacks the migrations 0001_initial\. Run "subrail migrate"/);
  });

  test('a newer release neither finishes a move that an earlier one began nor asks to migrate, and can cancel it', async () => {
    const stop = () => {
      throw new Interrupted();
    };
    await expect(move({}, stop)).rejects.toThrow(Interrupted);
    const forget = sql`delete from subrail_migrations where name >= '0001'`;
    await withMovable(source, ({ db }) => forget.execute(db));
    await expect(move()).rejects.toThrow(
      /^An earlier release began this move.* Finish it with that release, or give it up with "subrail migrate --cancel-move"/,
    );
    await cancel();
    const applied = await withMovable(source, ({ db }) => appliedMigrations(db));
    expect(markAmong(applied)).toBeNull();
  });

  test('moves records once', async () => {
    await move();
    await expect(move()).rejects.toThrow(/^The records of this database were moved already/);
    await target.remove();
    target = await onPostgres();
    await expect(move()).rejects.toThrow(/^The records of this database were moved already/);
  });

  test('an interrupted move goes on to its own target only, until it is cancelled', async () => {
    const stop = ({ table }: MoveProgress) => {
      if (table === 'subscriptions') throw new Interrupted();
    };
    await expect(move({}, stop)).rejects.toThrow(Interrupted);
    const other = await onPostgres();
    try {
      const elsewhere = withMovable(source, (here) =>
        withMovable(other, (there) => moveRecords(here, there)),
      );
      await expect(elsewhere).rejects.toThrow(/are being moved to another one already/);
      await cancel();
      const { subscription } = filled;
      await withStore(source, (store) => store.commit([aCommit({ ...subscription, version: 2 })]));
      // The rows that were copied before are out of date.
      await expect(move()).rejects.toThrow(/has records of a move that was cancelled/);
      await withStore(source, (store) => store.insertProject(aProject()));
    } finally {
      await other.remove();
    }
  });

  test('a move that was interrupted before it froze the source begins anew, and its first run can do nothing more', async () => {
    const first = await withMovable(target, (there) => claimTarget(there, null));
    await move();
    await expect(withMovable(source, (here) => leaveSource(here, first))).rejects.toThrow(
      /were moved to another one already/,
    );
    await storeOf(target);
  });

  test('a move that began on a machine whose clock was ahead goes on', async () => {
    const stop = () => {
      throw new Interrupted();
    };
    await expect(move({}, stop)).rejects.toThrow(Interrupted);
    const ahead = sql`update subrail_migrations set timestamp = '2099-01-01T00:00:00.000Z' where name like '0000%'`;
    await withMovable(target, ({ db }) => ahead.execute(db));
    await move();
    await storeOf(target);
  });

  test('a second run of a move is kept out until the first one ended', async () => {
    const refused: unknown[] = [];
    await move({}, async () => {
      if (refused.length === 0) await move().catch((error: unknown) => refused.push(error));
    });
    expect(String(refused[0])).toMatch(/^MoveRefused: Another process moves records to this database now/);
    await expect(move()).rejects.toThrow(/were moved already/);
  });

  test('a run that another one overtook writes nothing more', async () => {
    let overtaken = false;
    const first = move({}, async ({ table }) => {
      if (overtaken || table !== 'projects') return;
      overtaken = true;
      // As after the connection that held the lock was lost.
      await move({}, undefined, { lockMove: () => Promise.resolve(() => Promise.resolve()) });
    });
    await expect(first).rejects.toThrow(/^Another run of this move ended it, or began it anew/);
    await storeOf(target);
  });

  test('a row that differs is found, nothing is switched, and the move can be cancelled', async () => {
    const moved = move({}, async ({ step, table }) => {
      if (step !== 'copying' || table !== 'audit_entries') return;
      await withMovable(target, ({ db }) => sql`update subscriptions set paid_count = 7`.execute(db));
    });
    await expect(moved).rejects.toThrow(
      /^The row sub_\d+ of subscriptions is not the same in both databases/,
    );
    await expect(source.openStore()).rejects.toThrow(/are being moved/);
    await expect(target.openStore()).rejects.toThrow(/has only a part/);
    await cancel();
    await withStore(source, async (store) => {
      const { subscription } = filled;
      expect(await store.commit([aCommit({ ...subscription, version: 2 })])).toBe('committed');
    });
    await expect(cancel()).rejects.toThrow(/are not being moved/);
    await expect(target.openStore()).rejects.toThrow(/has only a part/);
  });

  test('a move that ended cannot be cancelled', async () => {
    await move();
    await expect(cancel()).rejects.toThrow(/^The move has ended/);
  });

  test('a move that was cancelled while it ran switches nothing', async () => {
    const moved = move({}, async ({ step, table }) => {
      if (step === 'comparing' && table === 'audit_entries') await cancel();
    });
    await expect(moved).rejects.toThrow(/^The move was cancelled meanwhile/);
    await expect(target.openStore()).rejects.toThrow(/has only a part/);
    await withStore(source, (store) => store.insertProject(aProject()));
  });

  test('says which record is broken when receipts are numbered with a gap', async () => {
    await withMovable(source, ({ db }) => sql`update attempts set receipt_number = 9`.execute(db));
    await expect(move()).rejects.toThrow(
      /the receipts of a project are not numbered without gaps up to its counter \(proj_/,
    );
  });

  test('says which record is broken when a counter is behind its events', async () => {
    await withMovable(source, ({ db }) => sql`update project_counters set last_position = 2`.execute(db));
    await expect(move()).rejects.toThrow(
      /the counter of a project is behind the positions of its events \(proj_/,
    );
  });
});
