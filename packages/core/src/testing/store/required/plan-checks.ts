import type { Plan } from '../../../records/index.js';
import { aPlan } from '../../records.js';
import { expectEach, expectEqual, race } from '../expect.js';
import { aStoredPlan, at, storeFixture } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

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
      [
        () => claim(5),
        { claimed: [{ ...later, ...leased }], unreadable: [] },
        'the one that is due at this instant',
      ],
      [() => store.findPlan(soon.id), { ...soon, ...leased }, 'a claimed plan, read again'],
      [
        () => peer.claimPlanChecks(at(60_999), 5, 1),
        { claimed: [], unreadable: [] },
        'those within the lease',
      ],
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
