import { aCommit, aDelivery, anAttempt, aTransfer } from '../../records.js';
import type { Commit } from '../../../ports/store.js';
import type { Subscription } from '../../../records/index.js';
import { expectEach, expectEqual } from '../../expect.js';
import { expectCounts, expectOneWinner, race } from '../expect.js';
import type { StoreTests } from '../store-under-test.js';
import {
  at,
  eventOf,
  type Fixture,
  mustCommit,
  nextVersion,
  storeFixture,
  subscriptionOf,
  deliveryOf,
  termsOf,
} from '../fixture.js';

/** A commit with one row of every kind. */
function fullCommit(subscription: Subscription, { endpoint }: Fixture): Commit {
  const subscriptionId = subscription.id;
  const event = eventOf(subscription, subscription.version);
  return aCommit(subscription, {
    attempts: [anAttempt({ subscriptionId, periodStart: at(subscription.version) })],
    transfers: [aTransfer({ subscriptionId, state: 'failed' })],
    events: [event],
    deliveries: [deliveryOf(event, endpoint)],
    signedTerms: termsOf(subscription, event.id),
  });
}

const KINDS = ['subscriptions', 'attempts', 'transfers', 'events', 'deliveries', 'signedTerms'] as const;

/** This many rows of each kind that a full commit writes. */
const ofEachKind = (count: number) => Object.fromEntries(KINDS.map((kind) => [kind, count]));

/** A commit is written whole or not at all, and only one commit of each version is accepted. */
export const commitTests: StoreTests = {
  'inserts a first version with all its rows': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    await mustCommit(store, fullCommit(subscription, fixture));
    await expectCounts(raw, ofEachKind(1));
    expectEqual(await store.commit([fullCommit(subscription, fixture)]), 'lost', 'the same commit again');
    await expectCounts(raw, ofEachKind(1));
  },

  'accepts only the version after the stored one': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const first = await fixture.aStoredSubscription();
    const second = nextVersion(first, { status: 'unpaid' });
    await mustCommit(store, aCommit(second));
    await expectEach(
      [() => store.commit([fullCommit(nextVersion(first), fixture)]), 'lost', 'a version that is taken'],
      [
        () => store.commit([fullCommit(nextVersion(nextVersion(second)), fixture)]),
        'lost',
        'a skipped version',
      ],
      [
        () => store.commit([fullCommit(nextVersion(fixture.aSubscription()), fixture)]),
        'lost',
        'no first version',
      ],
      [() => subscriptionOf(store, first), second, 'the subscription'],
    );
    await expectCounts(raw, { ...ofEachKind(0), subscriptions: 1 });
  },

  'accepts one of many racing commits of a version, and stores only its rows': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const first = await fixture.aStoredSubscription();
    const results = await race(underTest, 10, (store, caller) =>
      store.commit([fullCommit(nextVersion(first, { email: `${caller}@example.com` }), fixture)]),
    );
    expectOneWinner(results, 'committed', 'lost', 'commits of one version');
    await expectCounts(underTest.raw, ofEachKind(1));
    const winner = results.indexOf('committed');
    const stored = await subscriptionOf(underTest.store, first);
    expectEqual(stored?.email, `${winner}@example.com`, 'the email that the winner wrote');
  },

  'accepts exactly one of many racing first versions of one id': async (underTest) => {
    const fixture = await storeFixture(underTest.store);
    const subscription = fixture.aSubscription();
    const results = await race(underTest, 10, (store) => store.commit([fullCommit(subscription, fixture)]));
    expectOneWinner(results, 'committed', 'lost', 'inserts of one subscription');
    await expectCounts(underTest.raw, ofEachKind(1));
  },

  'stores nothing of three changes when the last one conflicts': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const [one, two, three] = [
      await fixture.aStoredSubscription(),
      await fixture.aStoredSubscription(),
      await fixture.aStoredSubscription(),
    ];
    await mustCommit(store, aCommit(nextVersion(three)));
    const changes = [one, two, three].map((row) =>
      fullCommit(nextVersion(row, { status: 'unpaid' }), fixture),
    );
    expectEqual(await store.commit(changes), 'lost', 'three changes of which the last conflicts');
    await expectCounts(raw, { ...ofEachKind(0), subscriptions: 3 });
    for (const row of [one, two])
      expectEqual(await subscriptionOf(store, row), row, 'one whose change came first');
  },

  'stores nothing when a delivery, the last row written, conflicts': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const change = fullCommit(subscription, fixture);
    const [delivery] = change.deliveries;
    const twice = delivery === undefined ? [] : [delivery, { ...delivery, id: aDelivery().id }];
    expectEqual(
      await store.commit([{ ...change, deliveries: twice }]),
      'lost',
      'the result of two deliveries of one event to one endpoint',
    );
    await expectCounts(raw, ofEachKind(0));
  },

  'commits many changes together': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const changes = Array.from({ length: 50 }, () => fullCommit(fixture.aSubscription(), fixture));
    await mustCommit(store, ...changes);
    await expectCounts(raw, ofEachKind(50));
    await mustCommit(store);
  },

  'replaces a transfer by its id': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const open = aTransfer({ subscriptionId: subscription.id });
    await mustCommit(store, aCommit(subscription, { transfers: [open] }));
    const landed = { ...open, state: 'landed', resolvedAt: at(9) } as const;
    await mustCommit(store, aCommit(nextVersion(subscription), { transfers: [landed] }));
    expectEqual(await store.listTransfers(subscription.id, 9), [landed], 'the transfers');
    expectEqual(await store.findOpenTransfer(subscription.id), null, 'the open transfer');
    expectEqual((await raw.transfer(open.id))?.state, 'landed', 'the stored state');
  },

  'accepts a row that is unique only with another row of its commit': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const lost = aTransfer({ subscriptionId: subscription.id });
    await mustCommit(store, aCommit(subscription, { transfers: [lost] }));
    const replacement = aTransfer({ subscriptionId: subscription.id });
    await mustCommit(
      store,
      aCommit(nextVersion(subscription), {
        transfers: [replacement, { ...lost, state: 'lost', resolvedAt: at(1) }],
      }),
    );
    expectEqual(await store.findOpenTransfer(subscription.id), replacement, 'the open transfer');

    const after = fixture.aSubscription({ wallet: subscription.wallet });
    await mustCommit(
      store,
      aCommit(after),
      aCommit(nextVersion(nextVersion(subscription), { status: 'superseded' })),
    );
    const rows = await store.listByWalletAndPlan(fixture.plan.id, subscription.wallet);
    expectEqual(
      rows.map((row) => row.status).sort(),
      ['active', 'superseded'],
      'the statuses of a comeback and what it replaces',
    );

    const checkout = fixture.aSubscription({ status: 'pending' });
    await mustCommit(store, aCommit(checkout));
    const next = fixture.aSubscription({ wallet: checkout.wallet, status: 'pending' });
    await mustCommit(store, aCommit(next), aCommit(nextVersion(checkout, { status: 'active' })));
    expectEqual(
      (await store.findSubscription(fixture.project.id, next.id))?.status,
      'pending',
      'the status of the next checkout',
    );
  },

  'stores several events of one change with their sequence': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription({ lastSequence: 2 });
    const events = [1, 2].map((sequence) => eventOf(subscription, sequence));
    await mustCommit(store, aCommit(subscription, { events }));
    for (const event of events)
      expectEqual(await store.findEvent(fixture.project.id, event.id), event, `event ${event.sequence}`);
  },
};
