import { expectThat, expectEqual, expectEach } from '../../expect.js';
import { aCommit, aTransfer, aPlan } from '../../records.js';
import { race } from '../expect.js';
import type { StoreTests } from '../store-under-test.js';
import { at, mustCommit, nextVersion, storeFixture, subscriptionOf, aStoredPlan } from '../fixture.js';
import type { Plan } from '../../../records/index.js';

const LEASE = 60_000;

const idsIn = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** A claim leases a subscription and raises its version: a worker whose lease ended loses its commit. */
export const claimTests: StoreTests = {
  'claims due subscriptions, soonest first, up to the limit': async ({ store }) => {
    const fixture = await storeFixture(store);
    const later = await fixture.aStoredSubscription({ wakeAt: at(1000) });
    const soonest = await fixture.aStoredSubscription({ wakeAt: at(1) });
    const soon = await fixture.aStoredSubscription({ wakeAt: at(2) });
    await fixture.aStoredSubscription({ wakeAt: at(1001) });
    await fixture.aStoredSubscription({ wakeAt: null });
    const ids = async (limit: number) =>
      (await store.claimDue(at(1000), limit, LEASE)).claimed.map(({ subscription }) => subscription.id);
    expectEqual(await ids(2), [soonest.id, soon.id], 'the ids of the two soonest');
    expectEqual(await ids(5), [later.id], 'the id of the one that is due at this instant');
    expectEqual(await ids(5), [], 'the ids claimed when nothing more is due');
  },

  'shares a claim between the projects when more are due than its limit': async ({ store }) => {
    const [many, few] = [await storeFixture(store), await storeFixture(store)];
    const first = Array.from({ length: 9 }, (_, i) => many.aSubscription({ wakeAt: at(i) }));
    const last = Array.from({ length: 2 }, (_, i) => few.aSubscription({ wakeAt: at(20 + i) }));
    await mustCommit(store, ...[...first, ...last].map((row) => aCommit(row)));
    const ids = async () =>
      (await store.claimDue(at(100), 6, LEASE)).claimed.map(({ subscription }) => subscription.id);
    expectEqual(
      await ids(),
      idsIn([...first.slice(0, 3), ...last]),
      'the ids of the first claim: the three soonest of one project, and the two of the other',
    );
    expectEqual(await ids(), idsIn(first.slice(3)), 'the ids of the second claim');
    expectEqual(await ids(), [], 'the ids claimed when nothing more is due');
  },

  'shares a claim only when more are due than its limit, takes no more than that, and leaves none alone':
    async ({ store }) => {
      const [first, second, third] = [
        await storeFixture(store),
        await storeFixture(store),
        await storeFixture(store),
      ];
      const last = Array.from({ length: 4 }, (_, i) => first.aSubscription({ wakeAt: at(30 + i) }));
      const next = second.aSubscription({ wakeAt: at(20) });
      const soonest = third.aSubscription({ wakeAt: at(10) });
      const all = [...last, next, soonest];
      await mustCommit(store, ...all.map((row) => aCommit(row)));
      const claim = async (now: number, limit: number) =>
        (await store.claimDue(at(now), limit, LEASE)).claimed.map(({ subscription }) => subscription.id);
      const claims = [];
      for (let ids = await claim(100, 2); ids.length > 0; ids = await claim(100, 2)) claims.push(ids);
      const sizes = claims.map(({ length }) => length);
      expectEqual(sizes, [2, 2, 2], 'how many each claim takes of six that are due, with a limit of two');
      expectEqual(
        claims[0],
        idsIn([soonest, next]),
        'the first claim, from the projects that are due soonest',
      );
      expectEqual(claims.flat().sort(), idsIn(all).sort(), 'what all claims took until one took none');
      const again = await claim(LEASE + 200, 6);
      expectEqual(again.sort(), idsIn(all).sort(), 'a claim of as many as are due');
    },

  'moves wakeAt to the end of the lease and increments the version': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const stored = await fixture.aStoredSubscription({ wakeAt: at(1) });
    const [claimed] = (await store.claimDue(at(5), 1, LEASE)).claimed;
    const expected = { ...stored, version: 2, wakeAt: at(5 + LEASE) };
    expectEqual(claimed?.subscription, expected, 'the claimed subscription');
    expectEqual(await subscriptionOf(store, stored), expected, 'what is read again');
    const row = await raw.subscription(stored.id);
    expectEqual([row?.version, row?.wakeAt], [2, at(5 + LEASE).getTime()], 'the stored row');
  },

  'returns each claim with its plan, its project and its open transfer': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await storeFixture(store);
    const secondPlan = await fixture.aStoredPlan();
    const bare = await fixture.aStoredSubscription({ wakeAt: at(1) });
    const charged = fixture.aSubscription({ planId: secondPlan.id, wakeAt: at(2) });
    const open = aTransfer({ subscriptionId: charged.id });
    const settled = aTransfer({ subscriptionId: charged.id, state: 'landed' });
    await mustCommit(store, aCommit(charged, { transfers: [open, settled] }));
    const elsewhere = await other.aStoredSubscription({ wakeAt: at(3) });
    const { claimed } = await store.claimDue(at(9), 10, LEASE);
    expectEqual(
      claimed.map(({ subscription, plan, project, transfer }) => [subscription.id, plan, project, transfer]),
      [
        [bare.id, fixture.plan, fixture.project, null],
        [charged.id, secondPlan, fixture.project, open],
        [elsewhere.id, other.plan, other.project, null],
      ],
      'the claims',
    );
  },

  'does not claim a leased subscription until its lease ends': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const stored = await fixture.aStoredSubscription({ wakeAt: at(1) });
    await store.claimDue(at(1), 1, LEASE);
    expectEqual((await peer.claimDue(at(LEASE), 1, LEASE)).claimed, [], 'the claims within the lease');
    const { claimed: afterLease } = await peer.claimDue(at(1 + LEASE), 1, LEASE);
    expectEqual(
      afterLease.map(({ subscription }) => [subscription.id, subscription.version]),
      [[stored.id, 3]],
      'the claims at the end of the lease',
    );
  },

  'refuses the commit of a worker that outlived its lease': async ({ store, peer, raw }) => {
    const fixture = await storeFixture(store);
    await fixture.aStoredSubscription({ wakeAt: at(1) });
    const [slow] = (await store.claimDue(at(1), 1, LEASE)).claimed;
    const [quick] = (await peer.claimDue(at(1 + LEASE), 1, LEASE)).claimed;
    expectThat(slow !== undefined && quick !== undefined, 'both workers to claim the subscription');
    const late = nextVersion(slow.subscription, { status: 'unpaid', wakeAt: null });
    expectEqual(await store.commit([aCommit(late)]), 'lost', 'the first worker’s commit');
    expectEqual(
      await peer.commit([aCommit(nextVersion(quick.subscription, { wakeAt: null }))]),
      'committed',
      'the second worker’s commit',
    );
    expectEqual((await raw.subscription(late.id))?.status, 'active', 'the stored status');
  },

  'refuses the commit of a caller that read the subscription before the claim': async ({ store }) => {
    const fixture = await storeFixture(store);
    const read = await fixture.aStoredSubscription({ wakeAt: at(1) });
    await store.claimDue(at(1), 1, LEASE);
    expectEqual(await store.commit([aCommit(nextVersion(read))]), 'lost', 'a commit of the version before');
  },

  'gives each due subscription to exactly one of many racing workers': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const due = Array.from({ length: 40 }, (_, i) => fixture.aSubscription({ wakeAt: at(i) }));
    await mustCommit(underTest.store, ...due.map((row) => aCommit(row)));
    const claimed = await race(underTest, 12, (store) => store.claimDue(at(100), 7, LEASE));
    const ids = claimed.flatMap((claims) => claims.claimed).map(({ subscription }) => subscription.id);
    expectEqual([...ids].sort(), due.map((row) => row.id).sort(), 'the claimed ids');
    const versions = await Promise.all(due.map(({ id }) => underTest.raw.subscription(id)));
    expectEqual(
      versions.filter((row) => row?.version === 2).length,
      due.length,
      'the number of rows whose version was incremented once',
    );
  },

  'lists ends of access, soonest first, up to the limit, leased ones too': async ({ store }) => {
    const fixture = await storeFixture(store);
    const ending = (accessEndsAt: Date | null, wakeAt: Date | null = null) =>
      fixture.aStoredSubscription({ accessEndsAt, wakeAt });
    const second = await ending(at(100), at(1));
    const first = await ending(at(50));
    const third = await ending(at(1000));
    await ending(at(1001));
    await ending(null);
    const open = aTransfer({ subscriptionId: first.id });
    const charged = nextVersion(first);
    await mustCommit(store, aCommit(charged, { transfers: [open] }));
    const [leased] = (await store.claimDue(at(1), 1, LEASE)).claimed;
    const { plan, project } = fixture;
    expectEqual(
      await store.listAccessEnds(at(1000), 2),
      {
        ended: [
          { subscription: charged, plan, project, transfer: open },
          { subscription: leased?.subscription, plan, project, transfer: null },
        ],
        unreadable: [],
      },
      'the two that ended first',
    );
    const all = async () =>
      (await store.listAccessEnds(at(1000), 9)).ended.map(({ subscription }) => subscription.id);
    const ids = [first.id, second.id, third.id];
    expectEqual([await all(), await all()], [ids, ids], 'the ids of two lists in a row');
    await mustCommit(store, aCommit(nextVersion(charged, { accessEndsAt: at(2000) })));
    expectEqual(await all(), [second.id, third.id], 'the ids after one was moved');
  },

  'wakes the running subscriptions of a plan, at most the limit, as new versions': async ({ store }) => {
    const fixture = await storeFixture(store);
    const other = await fixture.aStoredPlan();
    const statuses = ['active', 'unpaid', 'cancelled', 'active'] as const;
    const running = await Promise.all(
      statuses.map((status, i) =>
        fixture.aStoredSubscription({
          status,
          wakeAt: i === 3 ? null : at(100 + i),
          pausedAt: i === 1 ? at(0) : null,
        }),
      ),
    );
    const left = [
      await fixture.aStoredSubscription({ status: 'stopped', wakeAt: at(100) }),
      await fixture.aStoredSubscription({ wakeAt: at(9) }),
      await fixture.aStoredSubscription({ planId: other.id, wakeAt: at(100) }),
    ];
    const wake = (limit: number) => store.wakeSubscribers(fixture.plan.id, at(10), limit);
    expectEqual([await wake(3), await wake(3), await wake(3)], [3, 1, 0], 'how many each call woke');
    for (const before of running)
      expectEqual(
        await subscriptionOf(store, before),
        nextVersion(before, { wakeAt: at(10), nextCheckAt: at(10) }),
        'one that was woken',
      );
    for (const before of left)
      expectEqual(await subscriptionOf(store, before), before, 'one that was left alone');
  },

  'returns the earliest wakeAt of all subscriptions': async ({ store }) => {
    const fixture = await storeFixture(store);
    expectEqual(await store.nextWakeAt(), null, 'the next wake without subscriptions');
    await fixture.aStoredSubscription({ wakeAt: null });
    expectEqual(await store.nextWakeAt(), null, 'the next wake with one subscription that has none');
    await fixture.aStoredSubscription({ wakeAt: at(9) });
    await fixture.aStoredSubscription({ wakeAt: at(7) });
    expectEqual(await store.nextWakeAt(), at(7), 'the next wake of two');
    await store.claimDue(at(7), 5, LEASE);
    expectEqual(await store.nextWakeAt(), at(9), 'the next wake once the earliest is leased');
  },
};

const byId = ({ id }: Plan, other: Plan) => (id < other.id ? -1 : 1);

/** Workers claim the plans that are due to be read from the chain. */
export const planCheckTests: StoreTests = {
  'claims plans whose check is due, soonest first, until their lease ends': async ({ store, peer }) => {
    const { project } = await storeFixture(store);
    const [later, soonest, soon] = [
      await aStoredPlan(store, project, { nextCheckAt: at(1000) }),
      await aStoredPlan(store, project, { nextCheckAt: at(1), status: 'closed' }),
      await aStoredPlan(store, project, { nextCheckAt: at(2) }),
    ];
    await aStoredPlan(store, project, { nextCheckAt: at(61_001) });
    const claim = (limit: number) => store.claimPlanChecks(at(1000), limit, 60_000);
    const leased = { nextCheckAt: at(61_000) };
    const two = await claim(2);
    expectEqual(
      { ...two, claimed: two.claimed.toSorted(byId) },
      { claimed: [soonest, soon].map((plan) => ({ ...plan, ...leased })).toSorted(byId), unreadable: [] },
      'the two soonest',
    );
    await expectEach(
      [() => claim(5), { claimed: [{ ...later, ...leased }], unreadable: [] }, 'the one due now'],
      [() => store.findPlan(soon.id), { ...soon, ...leased }, 'a claimed plan, read again'],
      [() => peer.claimPlanChecks(at(60_999), 5, 1), { claimed: [], unreadable: [] }, 'within the lease'],
      [async () => (await peer.claimPlanChecks(at(61_000), 5, 1)).claimed.length, 3, 'how many after it'],
    );
  },

  'gives each plan that is due to exactly one of many racing workers': async (underTest) => {
    const { project } = await storeFixture(underTest.store);
    const due = [];
    for (let i = 0; i < 12; i++)
      due.push(await aStoredPlan(underTest.store, project, { nextCheckAt: at(i) }));
    const claims = await race(underTest, 8, (store) => store.claimPlanChecks(at(100), 4, 60_000));
    const ids = claims.flatMap(({ claimed }) => claimed.map(({ id }) => id));
    expectEqual([...ids].sort(), due.map(({ id }) => id).sort(), 'the claimed ids');
  },

  'schedules the checks of plans, and changes nothing else': async ({ store }) => {
    const { project } = await storeFixture(store);
    const [first, second, other] = [
      await aStoredPlan(store, project, { nextCheckAt: at(1) }),
      await aStoredPlan(store, project),
      await aStoredPlan(store, project, { nextCheckAt: at(2) }),
    ];
    await store.schedulePlanChecks([first.id, second.id, aPlan().id], at(9));
    expectEqual(await store.findPlan(first.id), { ...first, nextCheckAt: at(9) }, 'the first plan');
    expectEqual(await store.findPlan(second.id), { ...second, nextCheckAt: at(9) }, 'the second plan');
    await store.schedulePlanChecks([second.id], null);
    expectEqual(await store.findPlan(second.id), second, 'a plan that is not read any more');
    await store.schedulePlanChecks([], null);
    expectEqual(await store.findPlan(other.id), other, 'a plan that was not named');
  },
};
