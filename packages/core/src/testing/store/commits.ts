import { aCommit, aDelivery, anAttempt, anEvent, aSubscription, aTransfer, MADE_AT } from '../records.js';
import type { Commit } from '../../ports/store.js';
import type { Subscription } from '../../records/index.js';
import { oneWinner, raced, same } from './judge.js';
import type { Promises, RawReadBack, StoredKind } from './subject.js';
import { aStoredSubscription, at, aWorld, committed, eventOf, next, of, type World } from './world.js';

const KINDS = ['subscriptions', 'attempts', 'transfers', 'events', 'deliveries', 'signedTerms'] as const;

/** A commit with one of everything. */
function full(subscription: Subscription, { endpoint, project }: World): Commit {
  const subscriptionId = subscription.id;
  const event = eventOf(subscription, subscription.version);
  return aCommit(subscription, {
    attempts: [anAttempt({ subscriptionId, periodStart: at(subscription.version) })],
    transfers: [aTransfer({ subscriptionId, state: 'failed' })],
    events: [event],
    deliveries: [aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id })],
    signedTerms: { subscriptionId, message: 'terms', signature: event.id, signedAt: MADE_AT },
  });
}

async function counts(raw: RawReadBack): Promise<number[]> {
  return Promise.all(KINDS.map((kind: StoredKind) => raw.count(kind)));
}

/** The one door for changes: whole or not at all, and one winner a version. */
export const commits: Promises = {
  'a first version is inserted, with everything that comes with it': async ({ store, raw }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    await committed(store, full(subscription, world));
    same(await counts(raw), [1, 1, 1, 1, 1, 1], 'one row of each kind');
    same(await store.commit([full(subscription, world)]), 'lost', 'the same first version again');
    same(await counts(raw), [1, 1, 1, 1, 1, 1], 'still one row of each kind');
  },

  'a version follows the one before it only': async ({ store, raw }) => {
    const world = await aWorld(store);
    const first = await aStoredSubscription(store, world);
    const second = next(first, { status: 'unpaid' });
    await committed(store, aCommit(second));
    same(await store.commit([full(next(first), world)]), 'lost', 'a version that was taken');
    same(await store.commit([full(next(next(second)), world)]), 'lost', 'a version that skips one');
    same(
      await store.commit([full(next(aSubscription(of(world))), world)]),
      'lost',
      'a second without a first',
    );
    same(await store.findSubscription(first.projectId, first.id), second, 'the subscription');
    same(await counts(raw), [1, 0, 0, 0, 0, 0], 'nothing of the lost ones');
  },

  'of many commits of one version exactly one wins, and only its rows are stored': async (subject) => {
    const world = await aWorld(subject.store);
    const first = await aStoredSubscription(subject.store, world);
    const answers = await raced(subject, 10, (store, caller) =>
      store.commit([full(next(first, { email: `${caller}@example.com` }), world)]),
    );
    oneWinner(answers, 'committed', 'lost', 'commits of one version');
    same(await counts(subject.raw), [1, 1, 1, 1, 1, 1], 'the rows of one');
    const winner = answers.indexOf('committed');
    const stored = await subject.store.findSubscription(first.projectId, first.id);
    same(stored?.email, `${winner}@example.com`, 'the winner’s row');
  },

  'of many first versions of one id exactly one wins': async (subject) => {
    const world = await aWorld(subject.store);
    const subscription = aSubscription(of(world));
    const answers = await raced(subject, 10, (store) => store.commit([full(subscription, world)]));
    oneWinner(answers, 'committed', 'lost', 'inserts of one subscription');
    same(await counts(subject.raw), [1, 1, 1, 1, 1, 1], 'the rows of one');
  },

  'when the last of three changes loses, nothing of the first two is stored': async ({ store, raw }) => {
    const world = await aWorld(store);
    const [one, two, three] = [
      await aStoredSubscription(store, world),
      await aStoredSubscription(store, world),
      await aStoredSubscription(store, world),
    ];
    await committed(store, aCommit(next(three)));
    const before = await counts(raw);
    const changes = [one, two, three].map((row) => full(next(row, { status: 'unpaid' }), world));
    same(await store.commit(changes), 'lost', 'three changes of which the third is late');
    same(await counts(raw), before, 'the rows');
    for (const row of [one, two])
      same(await store.findSubscription(row.projectId, row.id), row, 'a change that came first');
  },

  'when a delivery, the last row written, is refused, nothing before it is stored': async ({
    store,
    raw,
  }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    const change = full(subscription, world);
    const [delivery] = change.deliveries;
    const twice = delivery === undefined ? [] : [delivery, { ...delivery, id: aDelivery().id }];
    same(await store.commit([{ ...change, deliveries: twice }]), 'lost', 'two deliveries to one endpoint');
    same(await counts(raw), [0, 0, 0, 0, 0, 0], 'the rows');
  },

  'many changes commit together': async ({ store, raw }) => {
    const world = await aWorld(store);
    const changes = Array.from({ length: 50 }, () => full(aSubscription(of(world)), world));
    await committed(store, ...changes);
    same(await counts(raw), [50, 50, 50, 50, 50, 50], 'fifty rows of each kind');
    await committed(store);
  },

  'a transfer is replaced by id': async ({ store, raw }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    const open = aTransfer({ subscriptionId: subscription.id });
    await committed(store, aCommit(subscription, { transfers: [open] }));
    const landed = { ...open, state: 'landed', resolvedAt: at(9) } as const;
    await committed(store, aCommit(next(subscription), { transfers: [landed] }));
    same(await store.listTransfers(subscription.id), [landed], 'the transfer');
    same(await store.findOpenTransfer(subscription.id), null, 'no transfer is open');
    same((await raw.transfer(open.id))?.state, 'landed', 'the stored state');
  },

  'within one commit a row may take what another one gives up, in whichever order they come': async ({
    store,
  }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
    const lost = aTransfer({ subscriptionId: subscription.id });
    await committed(store, aCommit(subscription, { transfers: [lost] }));
    const nextTryAt = aTransfer({ subscriptionId: subscription.id });
    await committed(
      store,
      aCommit(next(subscription), { transfers: [nextTryAt, { ...lost, state: 'lost', resolvedAt: at(1) }] }),
    );
    same(await store.findOpenTransfer(subscription.id), nextTryAt, 'the open transfer');

    const after = aSubscription({ ...of(world), wallet: subscription.wallet });
    await committed(store, aCommit(after), aCommit(next(next(subscription), { status: 'superseded' })));
    const rows = await store.listByWalletAndPlan(world.plan.id, subscription.wallet);
    same(rows.map((row) => row.status).sort(), ['active', 'superseded'], 'the return and the one it came on');
  },

  'events of one change keep their places': async ({ store }) => {
    const world = await aWorld(store);
    const subscription = aSubscription({ ...of(world), lastSequence: 2 });
    const events = [1, 2].map((sequence) =>
      anEvent({ projectId: world.project.id, subscriptionId: subscription.id, sequence }),
    );
    await committed(store, aCommit(subscription, { events }));
    for (const event of events)
      same(await store.findEvent(world.project.id, event.id), event, `event ${event.sequence}`);
  },
};
