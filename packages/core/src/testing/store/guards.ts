import type { Commit } from '../../ports/store.js';
import type { Subscription } from '../../records/index.js';
import {
  aCheckout,
  aCommit,
  aDelivery,
  anAttempt,
  aSignature,
  aSubscription,
  aTransfer,
} from '../records.js';
import { oneWinner, raced, same } from './judge.js';
import type { Promises, StoreUnderTest } from './subject.js';
import { aStoredSubscription, at, aWorld, eventOf, next, of, type World } from './world.js';

/**
 * Two commits that no version keeps apart, each of which is possible alone.
 * Those that share a subscription come as one commit with both rows, since a version lets only one of two through.
 */
interface Guard {
  readonly never: string;
  /** Commits of which the store must let exactly one through, whichever comes first. */
  rivals?(world: World): Commit[];
  /** One commit that breaks the rule by itself. */
  both?(stored: Subscription, world: World): Commit;
  /** The same, over two commits in a row: the first is possible, the second is not. */
  steps?(stored: Subscription, world: World): [Commit, Commit];
}

/** Two rows of one subscription that must not stand together, tried in one commit and one after the other. */
function apart(
  never: string,
  rows: (subscriptionId: Subscription['id']) => Pick<Partial<Commit>, 'transfers' | 'attempts'>[],
): Guard {
  const [first, second] = [0, 1];
  return {
    never,
    both: (stored) => {
      const made = rows(stored.id);
      return aCommit(next(stored), {
        transfers: made.flatMap((row) => row.transfers ?? []),
        attempts: made.flatMap((row) => row.attempts ?? []),
      });
    },
    steps: (stored) => {
      const made = rows(stored.id);
      return [aCommit(next(stored), made[first]), aCommit(next(next(stored)), made[second])];
    },
  };
}

function checkouts(customer: Pick<Subscription, 'externalId' | 'email'>) {
  return (world: World): Commit[] => {
    const { wallet } = aCheckout();
    return Array.from({ length: 6 }, () => aCommit(aCheckout({ ...of(world), wallet, ...customer })));
  };
}

const GUARDS: readonly Guard[] = [
  apart('two open transfers of a subscription', (subscriptionId) => [
    { transfers: [aTransfer({ subscriptionId, periodStart: at(1) })] },
    { transfers: [aTransfer({ subscriptionId, periodStart: at(2) })] },
  ]),
  apart('two landed transfers of a period (invariants#one-payment-per-period)', (subscriptionId) => [
    { transfers: [aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) })] },
    { transfers: [aTransfer({ subscriptionId, state: 'landed', periodStart: at(1) })] },
  ]),
  apart('two landed first payments of a subscription', (subscriptionId) => [
    { transfers: [aTransfer({ subscriptionId, kind: 'subscribe', state: 'landed', periodStart: null })] },
    { transfers: [aTransfer({ subscriptionId, kind: 'subscribe', state: 'landed', periodStart: null })] },
  ]),
  apart('two paid attempts of a period (invariants#one-payment-per-period)', (subscriptionId) => [
    { attempts: [anAttempt({ subscriptionId, periodStart: at(1) })] },
    { attempts: [anAttempt({ subscriptionId, periodStart: at(1) })] },
  ]),
  {
    never: 'two running subscriptions of a wallet to a plan (invariants#one-running-subscription-per-plan)',
    rivals: (world) => {
      const { wallet } = aSubscription();
      return (['active', 'unpaid', 'active', 'unpaid'] as const).map((status) =>
        aCommit(aSubscription({ ...of(world), wallet, status })),
      );
    },
  },
  {
    never: 'two checkouts of one customer id and wallet',
    rivals: checkouts({ externalId: 'c', email: null }),
  },
  { never: 'two checkouts of one email and wallet', rivals: checkouts({ externalId: null, email: 'a@b.c' }) },
  { never: 'two checkouts of a wallet and nobody', rivals: checkouts({ externalId: null, email: null }) },
  {
    never: 'two checkouts of one customer id whose email changed (checkout#repeated-create-is-idempotent)',
    rivals: (world) => {
      const { wallet } = aCheckout();
      return ['a@b.c', null, 'd@e.f'].map((email) =>
        aCommit(aCheckout({ ...of(world), wallet, externalId: 'c', email })),
      );
    },
  },
  {
    never: 'one signature on two transfers',
    rivals: (world) => {
      const signature = aSignature();
      return [1, 2, 3, 4].map(() => {
        const subscription = aSubscription(of(world));
        return aCommit(subscription, {
          transfers: [aTransfer({ subscriptionId: subscription.id, signature })],
        });
      });
    },
  },
  {
    never: 'two events of one place (invariants#sequence-is-complete)',
    both: (stored) => aCommit(next(stored), { events: [eventOf(stored, 1), eventOf(stored, 1)] }),
    steps: (stored) => [
      aCommit(next(stored), { events: [eventOf(stored, 1)] }),
      aCommit(next(next(stored)), { events: [eventOf(stored, 1)] }),
    ],
  },
  {
    never: 'two deliveries of an event to an endpoint (deliveries#one-delivery-per-endpoint)',
    both: (stored, { endpoint, project }) => {
      const event = eventOf(stored, 1);
      const delivery = () => aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id });
      return aCommit(next(stored), { events: [event], deliveries: [delivery(), delivery()] });
    },
  },
];

/** What the storage itself makes impossible, whatever the code above it does. */
export const guards: Promises = {
  ...Object.fromEntries(
    GUARDS.map((guard) => [`never ${guard.never}`, (subject: StoreUnderTest) => proves(guard, subject)]),
  ),

  'what is not the same stands side by side': async ({ store, raw }) => {
    const world = await aWorld(store);
    const subscription = await aStoredSubscription(store, world);
    const subscriptionId = subscription.id;
    const { wallet } = subscription;
    const beside = aCommit(next(subscription), {
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
        aSubscription({ ...of(world), wallet, status }),
      ),
      aSubscription({ ...of(world) }),
      aCheckout({ ...of(world), wallet }),
      aCheckout({ ...of(world), wallet, email: 'a@b.c' }),
      aCheckout({ ...of(world), wallet, externalId: 'a@b.c' }),
      aCheckout({ ...of(world), wallet, externalId: 'c', email: 'a@b.c' }),
    ];
    same(await store.commit([beside, ...others.map((row) => aCommit(row))]), 'committed', 'all of them');
    same(await raw.count('subscriptions'), 1 + others.length, 'the subscriptions');
  },
};

async function proves(guard: Guard, subject: StoreUnderTest): Promise<void> {
  const { store, raw } = subject;
  const world = await aWorld(store);
  if (guard.rivals !== undefined) {
    const rivals = guard.rivals(world);
    const answers = await raced(subject, rivals.length, (through, caller) =>
      through.commit(rivals.slice(caller, caller + 1)),
    );
    oneWinner(answers, 'committed', 'lost', guard.never);
    same(await raw.count('subscriptions'), 1, 'stored subscriptions');
    same(await store.commit(guard.rivals(world).slice(0, 2)), 'lost', 'two of them in one commit');
  }
  if (guard.both !== undefined) {
    const stored = await aStoredSubscription(store, world);
    same(await store.commit([guard.both(stored, world)]), 'lost', `${guard.never}, in one commit`);
    same((await raw.subscription(stored.id))?.version, stored.version, 'the version');
  }
  if (guard.steps !== undefined) {
    const stored = await aStoredSubscription(store, world);
    const [first, second] = guard.steps(stored, world);
    same(await store.commit([first]), 'committed', 'the first of two');
    same(await store.commit([second]), 'lost', `${guard.never}, one after the other`);
    same((await raw.subscription(stored.id))?.version, stored.version + 1, 'the version');
  }
}
