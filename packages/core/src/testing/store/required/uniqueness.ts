import type { Commit } from '../../../ports/store.js';
import type { Subscription } from '../../../records/index.js';
import {
  aCheckout,
  aCommit,
  aDelivery,
  anAttempt,
  aSignature,
  aSubscription,
  aTransfer,
} from '../../records.js';
import { expectEqual, expectOneWinner, race } from '../expect.js';
import type { StoreTests, StoreUnderTest } from '../store-under-test.js';
import {
  aStoredSubscription,
  at,
  eventOf,
  type Fixture,
  idsOf,
  nextVersion,
  storeFixture,
} from '../fixture.js';

/**
 * A rule that the storage itself must enforce, with commits that break it only together. Rows of different subscriptions
 * race as `rivals`. Rows of one subscription cannot race, since only one commit of a version is accepted: they are
 * written by one commit (`both`), and by two successive ones (`steps`).
 */
interface UniquenessRule {
  /** What must never be stored. */
  readonly never: string;
  /** Commits of which the store must accept exactly one, in any order. */
  rivals?(fixture: Fixture): Commit[];
  /** One commit that breaks the rule alone. */
  both?(stored: Subscription, fixture: Fixture): Commit;
  /** Two successive commits, of which the second breaks the rule. */
  steps?(stored: Subscription, fixture: Fixture): [Commit, Commit];
}

/** Makes the rule that two rows of one subscription must not both be stored. */
function neverBoth(
  never: string,
  rows: (subscriptionId: Subscription['id']) => Pick<Partial<Commit>, 'transfers' | 'attempts'>[],
): UniquenessRule {
  const [first, second] = [0, 1];
  return {
    never,
    both: (stored) => {
      const made = rows(stored.id);
      return aCommit(nextVersion(stored), {
        transfers: made.flatMap((row) => row.transfers ?? []),
        attempts: made.flatMap((row) => row.attempts ?? []),
      });
    },
    steps: (stored) => {
      const made = rows(stored.id);
      return [
        aCommit(nextVersion(stored), made[first]),
        aCommit(nextVersion(nextVersion(stored)), made[second]),
      ];
    },
  };
}

function checkouts(customer: Pick<Subscription, 'externalId' | 'email'>) {
  return (fixture: Fixture): Commit[] => {
    const { wallet } = aCheckout();
    return Array.from({ length: 6 }, () => aCommit(aCheckout({ ...idsOf(fixture), wallet, ...customer })));
  };
}

const UNIQUENESS_RULES: readonly UniquenessRule[] = [
  neverBoth('two open transfers of a subscription', (subscriptionId) => [
    { transfers: [aTransfer({ subscriptionId, periodStart: at(1) })] },
    { transfers: [aTransfer({ subscriptionId, periodStart: at(2) })] },
  ]),
  neverBoth('two landed transfers of a period', (subscriptionId) => [
    { transfers: [aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) })] },
    { transfers: [aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) })] },
  ]),
  neverBoth('two landed transfers of a subscription without a period', (subscriptionId) => [
    { transfers: [aTransfer({ subscriptionId, kind: 'subscribe', state: 'landed', periodStart: null })] },
    { transfers: [aTransfer({ subscriptionId, kind: 'subscribe', state: 'landed', periodStart: null })] },
  ]),
  neverBoth('two paid attempts of a period', (subscriptionId) => [
    { attempts: [anAttempt({ subscriptionId, periodStart: at(1) })] },
    { attempts: [anAttempt({ subscriptionId, periodStart: at(1) })] },
  ]),
  {
    never: 'two running subscriptions of a wallet to a plan',
    rivals: (fixture) => {
      const { wallet } = aSubscription();
      return (['active', 'unpaid', 'active', 'unpaid'] as const).map((status, index) =>
        // A parked subscription is running as well.
        aCommit(aSubscription({ ...idsOf(fixture), wallet, status, pausedAt: index < 2 ? null : at(1) })),
      );
    },
  },
  {
    never: 'two checkouts of one external id and wallet',
    rivals: checkouts({ externalId: 'c', email: null }),
  },
  { never: 'two checkouts of one email and wallet', rivals: checkouts({ externalId: null, email: 'a@b.c' }) },
  {
    never: 'two checkouts of one wallet without external id and email',
    rivals: checkouts({ externalId: null, email: null }),
  },
  {
    never: 'two checkouts of one external id with different emails',
    rivals: (fixture) => {
      const { wallet } = aCheckout();
      return ['a@b.c', null, 'd@e.f'].map((email) =>
        aCommit(aCheckout({ ...idsOf(fixture), wallet, externalId: 'c', email })),
      );
    },
  },
  {
    never: 'one payment of a transaction on two transfers',
    rivals: (fixture) => {
      const signature = aSignature();
      return [1, 2, 3, 4].map(() => {
        const subscription = aSubscription(idsOf(fixture));
        return aCommit(subscription, {
          transfers: [aTransfer({ subscriptionId: subscription.id, signature })],
        });
      });
    },
  },
  {
    never: 'two events of a subscription with one sequence',
    both: (stored) => aCommit(nextVersion(stored), { events: [eventOf(stored, 1), eventOf(stored, 1)] }),
    steps: (stored) => [
      aCommit(nextVersion(stored), { events: [eventOf(stored, 1)] }),
      aCommit(nextVersion(nextVersion(stored)), { events: [eventOf(stored, 1)] }),
    ],
  },
  {
    never: 'two deliveries of an event to an endpoint',
    both: (stored, { endpoint, project }) => {
      const event = eventOf(stored, 1);
      const delivery = () => aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id });
      return aCommit(nextVersion(stored), { events: [event], deliveries: [delivery(), delivery()] });
    },
  },
  neverOneId('attempts', ({ id: subscriptionId }) => {
    const attempt = anAttempt({ subscriptionId, periodStart: at(1) });
    return [{ attempts: [attempt] }, { attempts: [{ ...attempt, periodStart: at(2) }] }];
  }),
  neverOneId('events', (stored) => {
    const event = eventOf(stored, 1);
    return [{ events: [event] }, { events: [{ ...event, sequence: 2 }] }];
  }),
  neverOneId('deliveries', (stored, { endpoint, project }) => {
    const [one, two] = [eventOf(stored, 1), eventOf(stored, 2)];
    const delivery = aDelivery({ projectId: project.id, eventId: one.id, endpointId: endpoint.id });
    return [
      { events: [one], deliveries: [delivery] },
      { events: [two], deliveries: [{ ...delivery, eventId: two.id }] },
    ];
  }),
];

/** Makes the rule that two rows of one kind with the same id must not both be stored. */
function neverOneId(
  kind: 'attempts' | 'events' | 'deliveries',
  rows: (
    stored: Subscription,
    fixture: Fixture,
  ) => Pick<Partial<Commit>, 'attempts' | 'events' | 'deliveries'>[],
): UniquenessRule {
  return {
    never: `two ${kind} with one id`,
    steps: (stored, fixture) => {
      const [first, second] = rows(stored, fixture);
      return [aCommit(nextVersion(stored), first), aCommit(nextVersion(nextVersion(stored)), second)];
    },
  };
}

/** The storage itself enforces the rules of uniqueness, so that no fault in the service can break them. */
export const uniquenessTests: StoreTests = {
  ...Object.fromEntries(
    UNIQUENESS_RULES.map((rule) => [
      `never stores ${rule.never}`,
      (underTest: StoreUnderTest) => checkRule(rule, underTest),
    ]),
  ),

  'lets another subscription take the place of one that ended': async ({ store }) => {
    const fixture = await storeFixture(store);
    const customer = { ...idsOf(fixture), externalId: 'customer-1' };
    const checkout = aCheckout(customer);
    const active = { ...nextVersion(checkout), status: 'active' } as const;
    const ended = { ...nextVersion(active), status: 'ended' } as const;
    for (const next of [checkout, active, ended])
      expectEqual(await store.commit([aCommit(next)]), 'committed', `the commit of the ${next.status} one`);
    const again = aCheckout({ ...customer, wallet: checkout.wallet });
    expectEqual(await store.commit([aCommit(again)]), 'committed', 'the commit of a new checkout');
    const paid = { ...nextVersion(again), status: 'active' } as const;
    expectEqual(await store.commit([aCommit(paid)]), 'committed', 'the commit that makes it active');
  },

  'stores rows that no rule of uniqueness forbids together': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = await aStoredSubscription(store, fixture);
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
        aSubscription({ ...idsOf(fixture), wallet, status }),
      ),
      aSubscription({ ...idsOf(fixture) }),
      aCheckout({ ...idsOf(fixture), wallet }),
      aCheckout({ ...idsOf(fixture), wallet, email: 'a@b.c' }),
      aCheckout({ ...idsOf(fixture), wallet, externalId: 'a@b.c' }),
      aCheckout({ ...idsOf(fixture), wallet, externalId: 'c', email: 'a@b.c' }),
    ];
    expectEqual(
      await store.commit([allowed, ...others.map((row) => aCommit(row))]),
      'committed',
      'the result of committing all of them',
    );
    expectEqual(await raw.count('subscriptions'), 1 + others.length, 'the number of stored subscriptions');
  },
};

async function checkRule(rule: UniquenessRule, underTest: StoreUnderTest): Promise<void> {
  const { store, raw } = underTest;
  const fixture = await storeFixture(store);
  if (rule.rivals !== undefined) {
    const rivals = rule.rivals(fixture);
    const results = await race(underTest, rivals.length, (through, caller) =>
      through.commit(rivals.slice(caller, caller + 1)),
    );
    expectOneWinner(results, 'committed', 'lost', rule.never);
    expectEqual(await raw.count('subscriptions'), 1, 'the number of stored subscriptions');
    expectEqual(
      await store.commit(rule.rivals(fixture).slice(0, 2)),
      'lost',
      `the result of ${rule.never} in one commit`,
    );
  }
  if (rule.both !== undefined) {
    const stored = await aStoredSubscription(store, fixture);
    expectEqual(
      await store.commit([rule.both(stored, fixture)]),
      'lost',
      `the result of ${rule.never} in one commit`,
    );
    expectEqual((await raw.subscription(stored.id))?.version, stored.version, 'the stored version');
  }
  if (rule.steps !== undefined) {
    const stored = await aStoredSubscription(store, fixture);
    const [first, second] = rule.steps(stored, fixture);
    expectEqual(await store.commit([first]), 'committed', 'the result of the first commit');
    expectEqual(await store.commit([second]), 'lost', `the result of the second commit, with ${rule.never}`);
    expectEqual((await raw.subscription(stored.id))?.version, stored.version + 1, 'the stored version');
  }
}
