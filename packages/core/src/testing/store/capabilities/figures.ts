import type { FigureStore, MovementPlace, Store } from '../../../ports/store.js';
import type { AddedFigures, DayFigures, PlanId } from '../../../records/index.js';
import { expectEqual, expectThat } from '../../expect.js';
import { aMovement, someFigures } from '../../figure-records.js';
import { aCommit, anId } from '../../records.js';
import { durabilityOf } from '../durable.js';
import { at, type Fixture, mustCommit, nextVersion, storeFixture } from '../fixture.js';
import { allParts } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';

const DAY_MS = 86_400_000;
/** The days that figures of the tests are of. */
const [FIRST, SECOND, THIRD] = [0, DAY_MS, 2 * DAY_MS].map(at) as [Date, Date, Date];
const U64 = 2n ** 64n - 1n;

export const figureTests: StoreTests<Store & FigureStore> = {
  'adds the figures of a commit that took effect to those of their plans and days': async ({
    store,
    peer,
  }) => {
    const fixture = await storeFixture(store);
    const { day, read } = days(fixture);
    const subscription = fixture.aSubscription();
    const one = day(FIRST, { running: 1, recurring: 1, sums: { paid: 1n, 'paid.amount': U64, new: 1n } });
    const other = day(FIRST, { running: -2, recurring: 1, sums: { paid: 2n, 'paid.amount': U64, fees: 5n } });
    const second = day(SECOND, { sums: { comeback: 1n } });
    expectEqual(
      [
        await store.commit([aCommit(subscription)], [one, second]),
        await store.commit([aCommit(nextVersion(subscription))], [other]),
        // Lost: it names no version that is stored.
        await store.commit([aCommit(subscription)], [day(FIRST)]),
      ],
      ['committed', 'committed', 'lost'],
      'the results of three commits',
    );
    const sums = { paid: 3n, 'paid.amount': U64 * 2n, fees: 5n, new: 1n };
    const expected = [
      day(FIRST, { running: -1, recurring: 2, sums }),
      day(SECOND, { sums: { comeback: 1n } }),
    ];
    expectEqual(await read(peer), expected.map(figuresOf), 'the sums');
  },

  'leaves out sums of 0, and keeps the price that was known last': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { day, read } = days(fixture);
    const [early, late] = [anId('att'), anId('att')];
    const price = (ms: number, attemptId: typeof early, amountUsd: string) => ({
      ...{ at: at(ms), attemptId, amount: U64, amountUsd },
    });
    await store.addFigures([day(FIRST, { price: price(5, late, '2.00'), sums: { 'paid.unpriced': 1n } })]);
    await store.addFigures([day(FIRST, { price: price(5, early, '1.00'), sums: { 'paid.unpriced': -1n } })]);
    await store.addFigures([day(FIRST, { price: price(4, late, '3.00'), sums: {} })]);
    await store.addFigures([day(FIRST, { price: null, sums: {} })]);
    const expected = day(FIRST, { price: price(5, late, '2.00'), sums: {} });
    expectEqual(await read(store), [figuresOf(expected)], 'the figures of the day');
  },

  'changes no sum when additions are merged, also by racing callers': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { day, read } = days(fixture);
    const added = Array.from({ length: 20 }, (_, place) =>
      day(place % 2 === 0 ? FIRST : SECOND, { running: 1, sums: { paid: BigInt(place), fees: 1n } }),
    );
    for (const one of added) await store.addFigures([one]);
    const before = await read(store);
    expectThat(before.length === 2, 'figures of two days', before);
    await Promise.all([store.mergeFigures(7), peer.mergeFigures(7), store.addFigures([day(FIRST)])]);
    await Promise.all([peer.mergeFigures(100), store.mergeFigures(100)]);
    expectEqual(await store.mergeFigures(100), 0, 'how many additions are left');
    await store.addFigures([day(SECOND)]);
    await store.mergeFigures(100);
    const [first, second] = before;
    const more = ({ sums, ...rest }: DayFigures) => ({
      ...rest,
      sums: { ...sums, paid: (sums.paid ?? 0n) + 1n, 'paid.amount': 10_000_000n },
    });
    expectEqual(
      await read(store),
      [first, second].flatMap((one) => (one ? [more(one)] : [])),
      'the sums',
    );
  },

  'reads the days of a span, and what all days before come to, of one project': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const { day } = days(fixture);
    const otherPlan = await fixture.aStoredPlan();
    const price = { at: at(7), attemptId: anId('att'), amount: 5n, amountUsd: '0.50' };
    const earlier = { ...price, at: at(6) };
    const other = { planId: otherPlan.id };
    await store.addFigures([
      day(at(-DAY_MS), { running: 3, recurring: 2 }),
      day(FIRST, { running: -1, recurring: 0, price }),
      day(FIRST, { running: 0, recurring: 1, price: earlier }),
      day(FIRST, { running: 4, recurring: 4, ...other }),
      day(SECOND, { running: 5 }),
      day(SECOND, { running: 6, ...other }),
      day(THIRD, { running: 7 }),
      days(elsewhere).day(SECOND, { running: 9 }),
      days(elsewhere).day(FIRST, { running: 9 }),
    ]);
    const before = await store.readFiguresBefore(fixture.project.id, SECOND);
    const read = await store.readFigures(fixture.project.id, SECOND, THIRD);
    expectEqual(
      inOrder(before),
      inOrder([
        { planId: fixture.plan.id, running: 2, recurring: 3, price },
        { planId: otherPlan.id, running: 4, recurring: 4, price: null },
      ]),
      'what the days before come to',
    );
    expectEqual(
      inOrder(read),
      inOrder([day(SECOND, { running: 5 }), day(SECOND, { running: 6, ...other })].map(figuresOf)),
      'the days of the span',
    );
    await store.mergeFigures(100);
    expectEqual(
      [
        await store.readFiguresBefore(fixture.project.id, SECOND),
        await store.readFigures(fixture.project.id, SECOND, THIRD),
      ],
      [before, read],
      'the same once they are merged',
    );
  },

  'reads the sums of a day, its cohorts, or both': async ({ store }) => {
    const fixture = await storeFixture(store);
    const { day } = days(fixture);
    const first = day(FIRST, { running: 1, cohorts: { 'begun/2026-01': 1n, 'cohort/2026-01': 1n } });
    await store.addFigures([first, day(FIRST, { sums: {}, cohorts: { 'cohort/2026-01': -1n } })]);
    const both = figuresOf({ ...first, cohorts: { 'begun/2026-01': 1n } });
    const read = (only?: 'sums' | 'cohorts') => store.readFigures(fixture.project.id, FIRST, SECOND, only);
    expectEqual(
      [await read(), await read('sums'), await read('cohorts')],
      [[both], [{ ...both, cohorts: {} }], [{ ...both, sums: {} }]],
      'the figures',
    );
    await store.mergeFigures(100);
    expectEqual(await read(), [both], 'both, once they are merged');
  },

  'replaces the figures of one day of a project': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const { day, read } = days(fixture);
    await store.addFigures([day(FIRST), day(SECOND)]);
    await store.mergeFigures(100);
    await store.addFigures([day(FIRST), days(elsewhere).day(FIRST)]);
    const replacement = day(FIRST, { sums: { ended: 1n } as never });
    await store.replaceFigures(fixture.project.id, FIRST, [replacement]);
    expectEqual(await read(store), [figuresOf(replacement), figuresOf(day(SECOND))], 'the figures');
    const kept = await days(elsewhere).read(store);
    expectEqual(kept, [figuresOf(days(elsewhere).day(FIRST))], 'those of another project');
    await store.addFigures([day(FIRST)]);
    await store.mergeFigures(100);
    const [first] = await read(store);
    expectEqual(first?.sums.paid, 1n, 'what is added to the day afterwards');
    await store.replaceFigures(fixture.project.id, FIRST, []);
    expectEqual(await read(store), [figuresOf(day(SECOND))], 'the figures once a day has none');
  },

  'lists the movements of a project in a span of time, oldest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const movementsOf = async ({ project, plan, aSubscription }: Fixture, instants: readonly number[]) => {
      const subscription = aSubscription();
      const movements = instants.map((ms) =>
        aMovement({
          ...{ projectId: project.id, planId: plan.id, subscriptionId: subscription.id, at: at(ms) },
          ...(ms === 5 ? { kind: 'ended', reason: 'cancelled', recurring: 0 } : {}),
        }),
      );
      await mustCommit(store, aCommit(subscription, { movements }));
      return movements;
    };
    const all = [...(await movementsOf(fixture, [1, 5, 2, 3])), ...(await movementsOf(fixture, [3, 2, 9]))];
    await movementsOf(elsewhere, [3]);
    const parts = await allParts((after: MovementPlace | null) =>
      store.listMovements(fixture.project.id, at(2), at(9), after, 2),
    );
    const expected = all
      .filter((movement) => movement.at >= at(2) && movement.at < at(9))
      .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
    expectEqual(
      parts.flatMap(({ movements }) => movements),
      expected,
      'the movements of the project',
    );
  },
};

export const figureDurabilityTests: StoreTests<Store & FigureStore> = durabilityOf<Store & FigureStore>({
  async addFigures(store, stored) {
    await store.addFigures([days(stored).day(FIRST)]);
    return (reopened) => days(stored).read(reopened);
  },
  async replaceFigures(store, stored) {
    const { day, read } = days(stored);
    await store.addFigures([day(FIRST)]);
    await store.replaceFigures(stored.project.id, FIRST, [day(FIRST, { running: 5 })]);
    return read;
  },
});

/** Makes and reads figures of the project and the plan of a fixture. */
function days({ project, plan }: Fixture) {
  return {
    day: (first: Date, given: Partial<AddedFigures> = {}) =>
      someFigures({ projectId: project.id, planId: plan.id, day: first, ...given }),
    read: async (store: FigureStore) => store.readFigures(project.id, FIRST, at(9 * DAY_MS)),
  };
}

function figuresOf({ id: _, ...figures }: AddedFigures): DayFigures {
  return figures;
}

/** Rows in an order of their own, because a store returns them in any order. */
function inOrder<Row extends { readonly planId: PlanId }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => (one.planId < other.planId ? -1 : 1));
}
