import type { Commit } from '../../../ports/store.js';
import type { Subscription } from '../../../records/index.js';
import { aCheckout, aCommit, anAttempt, anId, aSignature, aSubscription, aTransfer } from '../../records.js';
import { expectEach, expectEqual } from '../../expect.js';
import { expectOneWinner, race } from '../expect.js';
import type { StoreTests, StoreUnderTest } from '../store-under-test.js';
import { at, eventOf, type Fixture, nextVersion, storeFixture, deliveryOf } from '../fixture.js';

type Rows = Partial<Omit<Commit, 'subscription'>>;

/** Rows of one subscription, of which the store must not have both: not by one commit, nor by two. */
type NeverBoth = (stored: Subscription, fixture: Fixture) => readonly [Rows, Rows];

/** Commits of different subscriptions, of which the store must accept exactly one, in any order. */
type Rivals = (fixture: Fixture) => readonly Commit[];

/** Rows of one subscription that cannot both be stored. They do not race: a version has one commit. */
const NEVER_BOTH: Readonly<Record<string, NeverBoth>> = {
  'two open transfers of a subscription': ({ id: subscriptionId }) => [
    { transfers: [aTransfer({ subscriptionId, periodStart: at(1) })] },
    { transfers: [aTransfer({ subscriptionId, periodStart: at(2) })] },
  ],
  'two landed transfers of a period': ({ id: subscriptionId }) => [
    { transfers: [aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) })] },
    { transfers: [aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) })] },
  ],
  'two landed transfers of a subscription without a period': ({ id: subscriptionId }) => [
    { transfers: [aTransfer({ subscriptionId, kind: 'subscribe', state: 'landed', periodStart: null })] },
    { transfers: [aTransfer({ subscriptionId, kind: 'subscribe', state: 'landed', periodStart: null })] },
  ],
  'two paid attempts of a period': ({ id: subscriptionId }) => [
    { attempts: [anAttempt({ subscriptionId, periodStart: at(1) })] },
    { attempts: [anAttempt({ subscriptionId, periodStart: at(1) })] },
  ],
  'two events of a subscription with one sequence': (stored) => [
    { events: [eventOf(stored, 1)] },
    { events: [eventOf(stored, 1)] },
  ],
  'two deliveries of an event to an endpoint': (stored, { endpoint }) => {
    const event = eventOf(stored, 1);
    const delivery = () => deliveryOf(event, endpoint);
    return [{ events: [event], deliveries: [delivery()] }, { deliveries: [delivery()] }];
  },
  'two attempts with one id': ({ id: subscriptionId }) => {
    const attempt = anAttempt({ subscriptionId, periodStart: at(1) });
    return [{ attempts: [attempt] }, { attempts: [{ ...attempt, periodStart: at(2) }] }];
  },
  'two events with one id': (stored) => {
    const event = eventOf(stored, 1);
    return [{ events: [event] }, { events: [{ ...event, sequence: 2 }] }];
  },
  'two deliveries with one id': (stored, { endpoint }) => {
    const [one, two] = [eventOf(stored, 1), eventOf(stored, 2)];
    const delivery = deliveryOf(one, endpoint);
    return [
      { events: [one], deliveries: [delivery] },
      { events: [two], deliveries: [{ ...delivery, eventId: two.id }] },
    ];
  },
};

const checkouts =
  (externalId: string | null, emails: readonly (string | null)[]): Rivals =>
  (fixture) => {
    const { wallet } = aCheckout();
    return emails.map((email) => aCommit(fixture.aCheckout({ wallet, externalId, email })));
  };

const ofSession: Rivals = (fixture) => {
  const [{ wallet }, reservedFor] = [aCheckout(), anId('chk')];
  return [null, 'a@b.c', 'd@e.f', null].map((email) =>
    aCommit(fixture.aCheckout({ wallet, email, reservedFor })),
  );
};

const RIVALS: Readonly<Record<string, Rivals>> = {
  'two running subscriptions of a wallet to a plan': (fixture) => {
    const { wallet } = aSubscription();
    return (['active', 'unpaid', 'active', 'unpaid'] as const).map((status, index) =>
      // A parked subscription is running as well.
      aCommit(fixture.aSubscription({ wallet, status, pausedAt: index < 2 ? null : at(1) })),
    );
  },
  'two checkouts of one external id and wallet': checkouts('c', Array(6).fill(null)),
  'two checkouts of one email and wallet': checkouts(null, Array(6).fill('a@b.c')),
  'two checkouts of one wallet without external id and email': checkouts(null, Array(6).fill(null)),
  'two checkouts of one external id with different emails': checkouts('c', ['a@b.c', null, 'd@e.f']),
  'two checkouts of one session and wallet with different emails': ofSession,
  'one payment of a transaction on two transfers': (fixture) => {
    const signature = aSignature();
    return [1, 2, 3, 4].map(() => {
      const subscription = fixture.aSubscription();
      const transfer = aTransfer({ subscriptionId: subscription.id, signature });
      return aCommit(subscription, { transfers: [transfer] });
    });
  },
};

/** The storage itself enforces the rules of uniqueness, so that no fault in the service can break them. */
export const uniquenessTests: StoreTests = {
  ...testsOf(NEVER_BOTH, async ({ store, raw }, never, rows) => {
    const fixture = await storeFixture(store);
    const [together, apart] = [await fixture.aStoredSubscription(), await fixture.aStoredSubscription()];
    const both = rows(together, fixture);
    const merged = {
      transfers: both.flatMap(({ transfers = [] }) => transfers),
      attempts: both.flatMap(({ attempts = [] }) => attempts),
      events: both.flatMap(({ events = [] }) => events),
      deliveries: both.flatMap(({ deliveries = [] }) => deliveries),
    };
    const [first, second] = rows(apart, fixture);
    const next = nextVersion(apart);
    await expectEach(
      [() => store.commit([aCommit(nextVersion(together), merged)]), 'lost', `one commit of ${never}`],
      [() => store.commit([aCommit(next, first)]), 'committed', 'a commit of the first row'],
      [() => store.commit([aCommit(nextVersion(next), second)]), 'lost', `two commits of ${never}`],
      [async () => (await raw.subscription(together.id))?.version, 1, 'the version after one commit'],
      [async () => (await raw.subscription(apart.id))?.version, 2, 'the version after two commits'],
    );
  }),

  ...testsOf(RIVALS, async (underTest, never, commits) => {
    const { store, raw } = underTest;
    const fixture = await storeFixture(store);
    const rivals = commits(fixture);
    const results = await race(underTest, rivals.length, (through, caller) =>
      through.commit(rivals.slice(caller, caller + 1)),
    );
    expectOneWinner(results, 'committed', 'lost', never);
    expectEqual(await raw.count('subscriptions'), 1, 'the number of stored subscriptions');
    expectEqual(await store.commit(commits(fixture).slice(0, 2)), 'lost', `one commit of ${never}`);
  }),

  'lets another subscription take the place of one that ended': async ({ store }) => {
    const fixture = await storeFixture(store);
    const externalId = 'customer-1';
    const checkout = fixture.aCheckout({ externalId });
    const active = { ...nextVersion(checkout), status: 'active' } as const;
    const ended = { ...nextVersion(active), status: 'ended' } as const;
    for (const next of [checkout, active, ended])
      expectEqual(await store.commit([aCommit(next)]), 'committed', `the commit of the ${next.status} one`);
    const again = fixture.aCheckout({ externalId, wallet: checkout.wallet });
    expectEqual(await store.commit([aCommit(again)]), 'committed', 'the commit of a new checkout');
    const paid = { ...nextVersion(again), status: 'active' } as const;
    expectEqual(await store.commit([aCommit(paid)]), 'committed', 'the commit that makes it active');
  },

  'stores rows that no rule of uniqueness forbids together': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = await fixture.aStoredSubscription();
    const subscriptionId = subscription.id;
    const { wallet } = subscription;
    const allowed = aCommit(nextVersion(subscription), {
      transfers: [
        aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) }),
        aTransfer({ subscriptionId, state: 'landed', periodStart: at(2) }),
        aTransfer({ subscriptionId, state: 'failed', periodStart: at(2) }),
        aTransfer({ subscriptionId, state: 'lost', periodStart: at(2) }),
        aTransfer({ subscriptionId, state: 'open', periodStart: at(3) }),
      ],
      attempts: [
        anAttempt({ subscriptionId, periodStart: at(1) }),
        anAttempt({ subscriptionId, periodStart: at(2) }),
        anAttempt({ subscriptionId, periodStart: at(2), outcome: 'rejected', reason: 'program_1' }),
        anAttempt({ subscriptionId, periodStart: at(2), outcome: 'rejected', reason: 'program_1' }),
      ],
    });
    const others = [
      ...(['cancelled', 'stopped', 'ended', 'failed', 'expired', 'superseded'] as const).map((status) =>
        fixture.aSubscription({ wallet, status }),
      ),
      fixture.aSubscription(),
      fixture.aCheckout({ wallet }),
      fixture.aCheckout({ wallet, email: 'a@b.c' }),
      fixture.aCheckout({ wallet, externalId: 'a@b.c' }),
      fixture.aCheckout({ wallet, externalId: 'c', email: 'a@b.c' }),
      ...[anId('chk'), anId('chk')].flatMap((reservedFor) => [
        fixture.aCheckout({ wallet, reservedFor }),
        fixture.aSubscription({ wallet, status: 'expired', reservedFor }),
      ]),
    ];
    expectEqual(
      await store.commit([allowed, ...others.map((row) => aCommit(row))]),
      'committed',
      'the result of committing all of them',
    );
    expectEqual(await raw.count('subscriptions'), 1 + others.length, 'the number of stored subscriptions');
  },
};

function testsOf<Rule>(
  rules: Readonly<Record<string, Rule>>,
  check: (underTest: StoreUnderTest, never: string, rule: Rule) => Promise<void>,
): StoreTests {
  const tests = Object.entries(rules).map(([never, rule]) => [
    `never stores ${never}`,
    (underTest: StoreUnderTest) => check(underTest, never, rule),
  ]);
  return Object.fromEntries(tests) as StoreTests;
}
