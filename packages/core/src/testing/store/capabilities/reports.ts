import type { AttemptPlace, ReportStore, ReportedAttempt, Store } from '../../../ports/store.js';
import type { PlanId, Subscription, Attempt } from '../../../records/index.js';
import { aCommit, anAttempt } from '../../records.js';
import { expectEqual } from '../../expect.js';
import { at, mustCommit, storeFixture, HELD, eventOf, deliveryOf } from '../fixture.js';
import { allParts } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';

/** An operator reads reports of a whole project, and everything of one subscription. */
export const reportTests: StoreTests<Store & ReportStore> = {
  'counts the held events of a subscription': async ({ store }) => {
    const fixture = await storeFixture(store);
    const [one, two] = [fixture.aSubscription(), fixture.aSubscription()];
    await mustCommit(
      store,
      aCommit(one, { events: [eventOf(one, 1), eventOf(one, 2, HELD), eventOf(one, 3, HELD)] }),
      aCommit(two, { events: [eventOf(two, 1, HELD)] }),
    );
    expectEqual(await store.countHeldEvents(one.id), 2, 'how many events of the subscription are held');
    await store.releaseEvents(
      one.id,
      new Map((await store.listHeldEvents(9, null)).held.map(({ id }) => [id, {}])),
      at(1),
    );
    expectEqual(await store.countHeldEvents(one.id), 0, 'how many are held once they are released');
  },

  'lists the newest deliveries of a subscription’s events, at most the limit': async ({ store }) => {
    const fixture = await storeFixture(store);
    const rows = [fixture.aSubscription(), fixture.aSubscription()].map((subscription, place) => {
      const events = [1, 2, 3, 4].map((sequence) => eventOf(subscription, sequence));
      // A delivery of an older event may be the newer one, because it was sent again later.
      const deliveries = events.map((event, index) =>
        deliveryOf(event, fixture.endpoint, { createdAt: at(([9, 2, 2, 5][index] ?? 0) + place) }),
      );
      return { subscription, events, deliveries };
    });
    await mustCommit(
      store,
      ...rows.map(({ subscription, events, deliveries }) => aCommit(subscription, { events, deliveries })),
    );
    const [first] = rows;
    const newest = (first?.deliveries ?? []).toSorted(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
    );
    const list = (limit: number) => store.listSubscriptionDeliveries(first?.subscription.id as never, limit);
    expectEqual(await list(9), newest, 'the deliveries of the subscription');
    expectEqual(await list(3), newest.slice(0, 3), 'the three newest of them');
  },

  'lists the attempts of a project in a span of time, oldest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const otherPlan = await fixture.aStoredPlan();
    const rejected = {
      outcome: 'rejected',
      reason: 'program_1',
      signature: null,
      amountReceived: null,
    } as const;
    const attemptsOf = async (of: typeof fixture, planId: PlanId, instants: readonly number[]) => {
      const subscription = of.aSubscription({ planId });
      const attempts = instants.map((ms) =>
        anAttempt({
          subscriptionId: subscription.id,
          attemptedAt: at(ms),
          periodStart: at(ms),
          retry: ms === 5,
          retryNumber: ms === 5 ? 2 : null,
          fee: ms === 3 ? 5_000n : null,
          ...(ms === 2 ? rejected : { amountUsd: ms === 3 ? null : '4.99' }),
        }),
      );
      await mustCommit(store, aCommit(subscription, { attempts }));
      return attempts.map((attempt) => ({ ...attempt, planId }));
    };
    const all = [
      ...(await attemptsOf(fixture, fixture.plan.id, [1, 5, 2, 3])),
      ...(await attemptsOf(fixture, otherPlan.id, [3, 2, 9])),
    ];
    await attemptsOf(elsewhere, elsewhere.plan.id, [3]);
    const expected = all
      .filter(({ attemptedAt }) => attemptedAt >= at(2) && attemptedAt < at(9))
      .sort((a, b) => a.attemptedAt.getTime() - b.attemptedAt.getTime() || (a.id < b.id ? -1 : 1));
    const parts = await allParts((after: AttemptPlace | null) =>
      store.listProjectAttempts(fixture.project.id, at(2), at(9), after, 2),
    );
    const seen = parts.flatMap(({ attempts }) => attempts);
    expectEqual(seen.map(reported), expected.map(reported), 'the attempts of the project');
  },

  'counts the subscriptions of a project that run, by plan and status': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const otherPlan = await fixture.aStoredPlan();
    const blocked = { blockedSince: at(1), blockedReason: 'mesub' } as const;
    const rows: readonly Partial<Subscription>[] = [
      {},
      { ...blocked, pausedAt: at(1) },
      { planId: otherPlan.id },
      { status: 'unpaid' },
      { status: 'unpaid', ...blocked },
      { status: 'cancelled', pausedAt: at(1) },
      { status: 'stopped' },
      { status: 'ended' },
      { status: 'pending' },
      { status: 'superseded' },
    ];
    for (const row of rows) await fixture.aStoredSubscription(row);
    await elsewhere.aStoredSubscription();
    expectEqual(
      inOrder(await store.countRunning(fixture.project.id)),
      inOrder([
        { planId: fixture.plan.id, status: 'active', count: 2, parked: 1, blocked: 1 },
        { planId: fixture.plan.id, status: 'unpaid', count: 2, parked: 0, blocked: 1 },
        { planId: fixture.plan.id, status: 'cancelled', count: 1, parked: 1, blocked: 0 },
        { planId: otherPlan.id, status: 'active', count: 1, parked: 0, blocked: 0 },
      ]),
      'how many run',
    );
  },
};

/** The fields of an attempt that a store must return: others are not compared. */
function reported({
  id,
  attemptedAt,
  outcome,
  reason,
  amount,
  amountUsd,
  fee,
  retry,
  retryNumber,
  planId,
}: ReportedAttempt) {
  return { id, attemptedAt, outcome, reason, amount, amountUsd, fee, retry, retryNumber, planId };
}

/** Counts in an order of their own, because a store returns them in any order. */
function inOrder<
  Count extends { readonly planId: PlanId; readonly status?: string; readonly reason?: string | null },
>(counts: readonly Count[]): readonly Count[] {
  const keyOf = ({ planId, status, reason }: Count) => `${planId} ${status} ${reason}`;
  return counts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Attempts get their amount in US dollars later, when no price was known at first. */
export const priceTests: StoreTests<Store & ReportStore> = {
  'lists the attempts without a USD amount, oldest first, and sets it once': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const unpaid = {
      outcome: 'skipped',
      reason: 'period_missed',
      signature: null,
      amountReceived: null,
    } as const;
    const attemptAt = (ms: number, amountUsd: string | null = null) =>
      anAttempt({ ...unpaid, subscriptionId: subscription.id, attemptedAt: at(ms), amountUsd });
    const early = attemptAt(1);
    const priced = attemptAt(3, '1.00');
    const [first, second] = [attemptAt(2), attemptAt(2)].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (first === undefined || second === undefined) throw new Error('Two attempts were made.');
    const last = attemptAt(4);
    await mustCommit(store, aCommit(subscription, { attempts: [last, priced, second, first, early] }));
    const { mint, decimals } = fixture.plan;
    const of = { projectId: fixture.project.id, planId: fixture.plan.id };
    const unpriced = ({ id, attemptedAt, outcome, amount }: Attempt) => ({
      ...{ id, attemptedAt, outcome, amount, mint, decimals, ...of },
    });
    const list = await store.listUnpricedAttempts(at(2), null, 2);
    expectEqual(list, [first, second].map(unpriced), 'the oldest attempts without a USD amount');
    expectEqual(
      await store.listUnpricedAttempts(at(2), first, 9),
      [second, last].map(unpriced),
      'the attempts that follow one of them',
    );
    const amountsUsd = new Map([first, priced].map(({ id }) => [id, '2.50']));
    expectEqual(
      (await Promise.all([store.priceAttempts(amountsUsd), peer.priceAttempts(amountsUsd)])).flat(),
      [first.id],
      'the attempts whose amount two racing callers set',
    );
    const page = await store.listAttempts(subscription.id, { limit: 9, startingAfter: null });
    if (page === 'unknown_cursor') throw new Error('The first page of attempts was refused.');
    const amounts = new Map(page.data.map(({ id, amountUsd }) => [id, amountUsd]));
    expectEqual(
      [first, priced, second, last].map(({ id }) => amounts.get(id)),
      ['2.50', '1.00', null, null],
      'the USD amounts',
    );
  },
};
