import { aCommit, aSubscription, aTransfer } from '../records.js';
import { raced, same } from './judge.js';
import type { Promises } from './subject.js';
import { aStoredPlan, aStoredSubscription, at, aWorld, committed, next, of } from './world.js';

const LEASE = 60_000;

/** One hand per subscription: claims by `wakeAt`, leases, and the fence of the version. */
export const claims: Promises = {
  'due subscriptions are claimed soonest first, as many as asked for': async ({ store }) => {
    const world = await aWorld(store);
    const later = await aStoredSubscription(store, world, { wakeAt: at(1000) });
    const soonest = await aStoredSubscription(store, world, { wakeAt: at(1) });
    const soon = await aStoredSubscription(store, world, { wakeAt: at(2) });
    await aStoredSubscription(store, world, { wakeAt: at(1001) });
    await aStoredSubscription(store, world, { wakeAt: null });
    const ids = async (limit: number) =>
      (await store.claimDue(at(1000), limit, LEASE)).map(({ subscription }) => subscription.id);
    same(await ids(2), [soonest.id, soon.id], 'the two soonest');
    same(await ids(5), [later.id], 'the one due at this very instant');
    same(await ids(5), [], 'nothing more is due');
  },

  'a claim moves wakeAt to the end of the lease and counts the version up': async ({ store, raw }) => {
    const world = await aWorld(store);
    const stored = await aStoredSubscription(store, world, { wakeAt: at(1) });
    const [claimed] = await store.claimDue(at(5), 1, LEASE);
    const expected = { ...stored, version: 2, wakeAt: at(5 + LEASE) };
    same(claimed?.subscription, expected, 'the claimed subscription');
    same(await store.findSubscription(stored.projectId, stored.id), expected, 'the subscription as read');
    const row = await raw.subscription(stored.id);
    same([row?.version, row?.wakeAt], [2, at(5 + LEASE).getTime()], 'the stored version and wake');
  },

  'a claim brings the plan, the project and the open transfer': async ({ store }) => {
    const world = await aWorld(store);
    const other = await aWorld(store);
    const secondPlan = await aStoredPlan(store, world.project);
    const bare = await aStoredSubscription(store, world, { wakeAt: at(1) });
    const charged = aSubscription({ ...of(world), planId: secondPlan.id, wakeAt: at(2) });
    const open = aTransfer({ subscriptionId: charged.id });
    const settled = aTransfer({ subscriptionId: charged.id, state: 'landed' });
    await committed(store, aCommit(charged, { transfers: [open, settled] }));
    const elsewhere = await aStoredSubscription(store, other, { wakeAt: at(3) });
    const claimed = await store.claimDue(at(9), 10, LEASE);
    same(
      claimed.map(({ subscription, plan, project, transfer }) => [subscription.id, plan, project, transfer]),
      [
        [bare.id, world.plan, world.project, null],
        [charged.id, secondPlan, world.project, open],
        [elsewhere.id, other.plan, other.project, null],
      ],
      'what each claim brings',
    );
  },

  'a claimed subscription is seen by nobody until its lease ends': async ({ store, peer }) => {
    const world = await aWorld(store);
    const stored = await aStoredSubscription(store, world, { wakeAt: at(1) });
    await store.claimDue(at(1), 1, LEASE);
    same(await peer.claimDue(at(LEASE), 1, LEASE), [], 'claims within the lease');
    const nextTryAt = await peer.claimDue(at(1 + LEASE), 1, LEASE);
    same(
      nextTryAt.map(({ subscription }) => [subscription.id, subscription.version]),
      [[stored.id, 3]],
      'the claim at its end',
    );
  },

  'a worker that outlived its lease loses its commit': async ({ store, peer, raw }) => {
    const world = await aWorld(store);
    await aStoredSubscription(store, world, { wakeAt: at(1) });
    const [slow] = await store.claimDue(at(1), 1, LEASE);
    const [quick] = await peer.claimDue(at(1 + LEASE), 1, LEASE);
    if (slow === undefined || quick === undefined) throw new Error('Broken: both are claimed');
    const late = next(slow.subscription, { status: 'unpaid', wakeAt: null });
    same(await store.commit([aCommit(late)]), 'lost', 'the slow worker’s commit');
    same(
      await peer.commit([aCommit(next(quick.subscription, { wakeAt: null }))]),
      'committed',
      'the second worker’s commit',
    );
    same((await raw.subscription(late.id))?.status, 'active', 'the stored status');
  },

  'a claim takes the commit from whoever read the row before': async ({ store }) => {
    const world = await aWorld(store);
    const read = await aStoredSubscription(store, world, { wakeAt: at(1) });
    await store.claimDue(at(1), 1, LEASE);
    same(await store.commit([aCommit(next(read))]), 'lost', 'a commit of the version before the claim');
  },

  'of many workers at once each due subscription goes to exactly one': async (subject) => {
    const world = await aWorld(subject.store);
    const due = Array.from({ length: 40 }, (_, i) => aSubscription({ ...of(world), wakeAt: at(i) }));
    await committed(subject.store, ...due.map((row) => aCommit(row)));
    const claimed = await raced(subject, 12, (store) => store.claimDue(at(100), 7, LEASE));
    const ids = claimed.flat().map(({ subscription }) => subscription.id);
    same([...ids].sort(), due.map((row) => row.id).sort(), 'each once');
    const versions = await Promise.all(due.map(({ id }) => subject.raw.subscription(id)));
    same(
      versions.filter((row) => row?.version === 2).length,
      due.length,
      'rows whose version was counted up once',
    );
  },

  'the next wake is the earliest of all': async ({ store }) => {
    const world = await aWorld(store);
    same(await store.nextWakeAt(), null, 'with nobody to wake');
    await aStoredSubscription(store, world, { wakeAt: null });
    same(await store.nextWakeAt(), null, 'with one that never wakes');
    await aStoredSubscription(store, world, { wakeAt: at(9) });
    await aStoredSubscription(store, world, { wakeAt: at(7) });
    same(await store.nextWakeAt(), at(7), 'with two');
    await store.claimDue(at(7), 5, LEASE);
    same(await store.nextWakeAt(), at(9), 'with the earliest claimed');
  },
};
