import type { DuePlace, DueSubscriptions, ReportStore, Store } from '../../../ports/store.js';
import {
  SUBSCRIPTION_DUE_FIELDS,
  type DueSubscription,
  type Plan,
  type Subscription,
} from '../../../records/index.js';
import { aCommit } from '../../records.js';
import { expectEqual } from '../expect.js';
import { at, mustCommit, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

type Read = (after: DuePlace | null, limit: number) => Promise<DueSubscriptions>;

/** Reads a list to its end, two subscriptions at a time. `between` runs before every further read. */
async function readAll(read: Read, between: () => Promise<void> = () => Promise.resolve()) {
  const seen: DueSubscriptions['due'][number][] = [];
  for (let after: DuePlace | null = null; ;) {
    const { due, next } = await read(after, 2);
    seen.push(...due);
    if (next === null) return seen;
    after = next;
    await between();
  }
}

const idsIn = (due: DueSubscriptions['due']) => due.map(({ subscription }) => subscription.id);

/** The fields that a store must return: others are not compared. */
const dueFields = (subscription: DueSubscription) =>
  SUBSCRIPTION_DUE_FIELDS.map((field) => subscription[field]);

const byDate = (rows: readonly Subscription[], dateOf: (row: Subscription) => Date | null) =>
  rows
    .toSorted((a, b) => Number(dateOf(a)) - Number(dateOf(b)) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);

/** The next tries and ends of a project are listed soonest first. */
export const dueListTests: StoreTests<Store & ReportStore> = {
  'lists the running subscriptions of a project by their next try, soonest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const stored = (given: Partial<Subscription>) => fixture.aStoredSubscription(given);
    const automatic = { spent: 1, allowed: 3, waitMs: 60_000, nextAt: at(2) };
    const late = {
      ...{ periodStart: at(1), graceUntil: at(9), automatic, deadline: null },
      ...{ byHand: { count: 0, lastAt: null }, queuedAt: null },
    };
    const rows = [
      await stored({ nextTryAt: at(5), externalId: 'reader', email: 'reader@example.com' }),
      await stored({ nextTryAt: at(2), status: 'unpaid', late, pausedAt: at(1) }),
      await stored({
        ...{ nextTryAt: at(5), status: 'cancelled' },
        cancellation: { confirmedAt: at(1), expiresAt: at(5), behind: false },
      }),
      await stored({ nextTryAt: at(-5), termsSigned: false }),
    ];
    await stored({ nextTryAt: null });
    await stored({ nextTryAt: at(1), status: 'pending' });
    await stored({ nextTryAt: at(1), status: 'stopped' });
    await elsewhere.aStoredSubscription({ nextTryAt: at(1) });
    const read: Read = (after, limit) => store.listByNextTry(fixture.project.id, after, limit);
    const listed = await readAll(read);
    expectEqual(
      idsIn(listed),
      byDate(rows, ({ nextTryAt }) => nextTryAt),
      'those with a next try',
    );
    for (const { subscription, plan } of listed) {
      const row = rows.find(({ id }) => id === subscription.id) ?? subscription;
      expectEqual([dueFields(subscription), plan], [dueFields(row), fixture.plan], 'a listed one');
    }
    expectEqual((await read(null, 4)).next, null, 'the place after the last of them');
  },

  'lists the charged subscriptions of plans that end, by the end and then by id': async ({ store }) => {
    const fixture = await storeFixture(store);
    const plans: readonly Plan[] = [
      await fixture.aStoredPlan({ endsAt: at(7) }),
      await fixture.aStoredPlan({ endsAt: at(7) }),
      await fixture.aStoredPlan({ endsAt: at(3) }),
      await fixture.aStoredPlan({ endsAt: at(9) }),
    ];
    const rows: Subscription[] = [];
    for (const status of ['active', 'unpaid', 'active', 'cancelled', 'ended'] as const)
      for (const { id: planId } of plans.slice(0, 3)) {
        const row = await fixture.aStoredSubscription({ planId, status });
        if (status !== 'cancelled' && status !== 'ended') rows.push(row);
      }
    await fixture.aStoredSubscription();
    const endOf = ({ planId }: Subscription) => plans.find(({ id }) => id === planId)?.endsAt ?? null;
    const listed = await readAll((after, limit) => store.listByPlanEnd(fixture.project.id, after, limit));
    expectEqual(idsIn(listed), byDate(rows, endOf), 'the subscriptions by the ends of their plans');
    for (const { subscription, plan } of listed) {
      const row = rows.find(({ id }) => id === subscription.id) ?? subscription;
      const planOfRow = plans.find(({ id }) => id === subscription.planId);
      expectEqual([dueFields(subscription), plan], [dueFields(row), planOfRow], 'a listed one');
    }
  },

  'neither repeats nor skips what comes next while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const due = (nextTryAt: Date) => fixture.aSubscription({ nextTryAt });
    const rows = [5, 5, 5, 1, 9, 5, 9, 3, 1].map((ms) => due(at(ms)));
    await mustCommit(store, ...rows.map((row) => aCommit(row)));
    const listed = await readAll(
      (after, limit) => store.listByNextTry(fixture.project.id, after, limit),
      () => mustCommit(peer, aCommit(due(at(0)))),
    );
    expectEqual(
      idsIn(listed),
      byDate(rows, ({ nextTryAt }) => nextTryAt),
      'those stored before it',
    );
  },
};
