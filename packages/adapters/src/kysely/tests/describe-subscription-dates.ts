import { aCommit, aPlan, aProject, aSubscription, MADE_AT } from '@subrail/core/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKyselyStore, migrate } from '../index.js';
import type { EmptyDatabase } from './empty-postgres.js';

const DAY = 86_400_000;
const LEASE_MS = 60_000;

function later(days: number): Date {
  return new Date(MADE_AT.getTime() + days * DAY);
}

/** Tests that the dates by which subscriptions are found are those that they have, whatever writes them. */
export function describeSubscriptionDates(engine: string, open: () => Promise<EmptyDatabase>): void {
  describe(`the dates of a subscription on ${engine} are those that it has`, () => {
    const project = aProject();
    const plan = aPlan({ projectId: project.id });
    const first = aSubscription({
      ...{ projectId: project.id, planId: plan.id, createdAt: MADE_AT },
      ...{ nextTryAt: later(1), wakeAt: later(1), accessEndsAt: later(2) },
    });

    let database: EmptyDatabase;
    let store: ReturnType<typeof createKyselyStore>;
    beforeEach(async () => {
      database = await open();
      await migrate(database.db, database.traits);
      store = createKyselyStore(database.db, database.traits);
      await store.insertProject(project);
      await store.insertPlan(plan);
      await store.commit([aCommit(first)]);
    });
    afterEach(() => database.close());

    /** The dates as they are found, after they were compared with those of the subscriptions. */
    async function dates() {
      const kept = await database.db
        .selectFrom('subscription_dates')
        .selectAll()
        .orderBy('subscription_id')
        .execute();
      const had = await database.db
        .selectFrom('subscriptions')
        .select(['id as subscription_id', 'project_id', 'plan_id', 'status'])
        .select(['wake_at', 'next_try_at', 'access_ends_at'])
        .orderBy('id')
        .execute();
      expect(kept).toEqual(had);
      return kept;
    }

    test('when it is new', async () => {
      expect(await dates()).toEqual([
        {
          ...{ subscription_id: first.id, project_id: project.id, plan_id: plan.id, status: first.status },
          ...{ wake_at: later(1).getTime(), next_try_at: later(1).getTime() },
          access_ends_at: later(2).getTime(),
        },
      ]);
    });

    test('after a change of its dates, of its status, and of neither', async () => {
      const charged = { ...first, version: 2, nextTryAt: later(31), wakeAt: later(31), accessEndsAt: null };
      await store.commit([aCommit(charged)]);
      expect(await dates()).toMatchObject([{ next_try_at: later(31).getTime(), access_ends_at: null }]);
      await store.commit([aCommit({ ...charged, version: 3, status: 'cancelled', wakeAt: null })]);
      expect(await dates()).toMatchObject([{ status: 'cancelled', wake_at: null }]);
      await store.commit([
        aCommit({ ...charged, version: 4, status: 'cancelled', wakeAt: null, paidCount: 7 }),
      ]);
      expect(await dates()).toMatchObject([{ status: 'cancelled', wake_at: null }]);
    });

    test('after a claim, and after its plan woke it', async () => {
      expect((await store.claimDue(later(1), 9, LEASE_MS)).claimed).toHaveLength(1);
      expect(await dates()).toMatchObject([{ wake_at: later(1).getTime() + LEASE_MS }]);
      expect(await store.wakeSubscribers(plan.id, later(1), 9)).toBe(1);
      expect(await dates()).toMatchObject([{ wake_at: later(1).getTime() }]);
    });

    test('after a change that is undone', async () => {
      await expect(
        store.transaction(async (within) => {
          await within.commit([aCommit({ ...first, version: 2, wakeAt: later(9) })]);
          throw new Error('undone');
        }),
      ).rejects.toThrow('undone');
      expect(await dates()).toMatchObject([{ wake_at: later(1).getTime() }]);
    });

    test('after a statement of somebody else', async () => {
      await sql`update subscriptions set wake_at = 7, status = 'stopped'`.execute(database.db);
      expect(await dates()).toMatchObject([{ status: 'stopped', wake_at: 7 }]);
    });

    test('and are gone with a checkout that expired', async () => {
      const expired = {
        ...first,
        version: 2,
        status: 'expired' as const,
        lastEventAt: later(1),
        wakeAt: null,
      };
      await store.commit([aCommit(expired)]);
      // It began long before the date, and ended after it.
      expect(await store.deleteExpiredCheckouts(later(1), 9, null)).toEqual({ changed: 0, next: null });
      expect(await dates()).toHaveLength(1);
      expect(await store.deleteExpiredCheckouts(later(2), 9, null)).toEqual({ changed: 1, next: null });
      expect(await dates()).toEqual([]);
    });
  });
}
