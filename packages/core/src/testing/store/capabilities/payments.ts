import type {
  FoundPayments,
  PaymentFilter,
  ReportStore,
  Store,
  SubscriptionFilter,
} from '../../../ports/store.js';
import type { Attempt, AttemptId, Plan, Refund, Subscription } from '../../../records/index.js';
import { expectEqual, expectThat } from '../../expect.js';
import { aCommit, aSignature, aTransfer, anAddress, anAttempt, anId } from '../../records.js';
import { aRefund } from '../../refund-records.js';
import { at, type Fixture, mustCommit, storeFixture } from '../fixture.js';
import { allParts, created, newestFirst } from '../pages.js';
import type { StoreTests } from '../store-under-test.js';

const EVERYTHING: PaymentFilter = {
  ...{ id: null, address: null, wallet: null, externalId: null, email: null, planId: null },
  ...{ since: null, until: null, mint: null, outcome: null, reason: null, signature: null },
};

const ANY_SUBSCRIPTION: SubscriptionFilter = {
  ...{ id: null, address: null, wallet: null, externalId: null, email: null, planId: null },
  ...{ status: null, late: null, blocked: null, failing: null, ending: null },
};

/** More subscriptions or plans than a store is likely to walk one by one. */
const MANY = 25;

const FAILED = { outcome: 'rejected', signature: null, amountReceived: null } as const;

async function list(
  store: ReportStore,
  { project }: Fixture,
  filter: Partial<PaymentFilter>,
  startingAfter: AttemptId | null = null,
  limit = 2,
): Promise<FoundPayments> {
  const page = { limit, startingAfter };
  const result = await store.searchPayments(project.id, { ...EVERYTHING, ...filter }, page);
  expectThat(result !== 'unknown_cursor', 'an attempt of the project to be a cursor of its payments');
  return result;
}

/** The ids of a whole list, two attempts a page. `between` runs before more pages. */
async function listAll(
  store: ReportStore,
  fixture: Fixture,
  filter: Partial<PaymentFilter>,
  between?: () => Promise<void>,
): Promise<readonly AttemptId[]> {
  const pages = await allParts((after: AttemptId | null) => list(store, fixture, filter, after), between);
  return pages.flatMap(({ found }) => found.map(({ attempt }) => attempt.id));
}

/** Stores a subscription with attempts at these instants. */
async function paying(
  store: Store,
  fixture: Fixture,
  given: Partial<Subscription>,
  attempts: readonly (readonly [ms: number, given?: Partial<Attempt>])[],
) {
  const subscription = fixture.aSubscription(given);
  const rows = attempts.map(([ms, more]) =>
    anAttempt({ subscriptionId: subscription.id, attemptedAt: at(ms), periodStart: at(ms), ...more }),
  );
  const transfers = rows.flatMap(({ signature, periodStart }) =>
    signature === null
      ? []
      : [aTransfer({ subscriptionId: subscription.id, signature, periodStart, state: 'landed' })],
  );
  await mustCommit(store, aCommit(subscription, { attempts: rows, transfers }));
  const stored = await store.listAttempts(subscription.id, { limit: 99, startingAfter: null });
  expectThat(stored !== 'unknown_cursor', 'a first page not to be unknown_cursor');
  const rowOf = new Map(stored.data.map((row) => [row.id, row]));
  return { subscription, rows: rows.map((row) => rowOf.get(row.id) ?? row) };
}

/** Stores a subscription with paid attempts, each of which charged 10, and makes refunds of them. */
async function refundable(
  store: Store,
  fixture: Fixture,
  count: number,
  given: Partial<Subscription> = {},
  mint = fixture.plan.mint,
) {
  const times = Array.from({ length: count }, (_, place) => [place + 1] as const);
  const { subscription, rows } = await paying(store, fixture, given, times);
  const { wallet, planId } = subscription;
  const refund = (attemptId: AttemptId, received: bigint, ms: number, more: Partial<Refund> = {}) => {
    const row = aRefund({
      ...{ projectId: fixture.project.id, attemptId, amount: received, recordedAt: at(ms) },
      ...more,
    });
    const limits = { charged: 10n, wallet, mint, received };
    return { row, limits, insertTo: (to: ReportStore) => to.insertRefund(row, limits) };
  };
  return { rows, planId, refund };
}

/** An operator lists the payments of a whole project. */
export const paymentTests: StoreTests<Store & ReportStore> = {
  'finds a payment by its id, in its project': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const { subscription, rows } = await paying(store, fixture, {}, [[1], [2]]);
    const { wallet, externalId, email } = subscription;
    const [attempt] = rows;
    expectThat(attempt !== undefined, 'an attempt to be stored');
    expectEqual(
      await store.findPayment(fixture.project.id, attempt.id),
      { attempt, subscription: { wallet, externalId, email }, plan: fixture.plan },
      'the payment with this id',
    );
    expectEqual(await store.findPayment(elsewhere.project.id, attempt.id), null, 'that of another project');
    expectEqual(await store.findPayment(fixture.project.id, anId('att')), null, 'an unknown payment');
  },

  'stores a refund once for its attempt, of as much as is left of that, and lists it': async ({
    store,
    peer,
  }) => {
    const fixture = await storeFixture(store);
    const { rows, refund } = await refundable(store, fixture, 2);
    const [one, other] = rows;
    expectThat(one !== undefined && other !== undefined, 'two attempts to be stored');
    const first = refund(one.id, 6n, 9);
    const second = refund(one.id, 4n, 8);
    const third = refund(other.id, 10n, 7);
    expectEqual(await first.insertTo(store), 'inserted', 'a first refund');
    expectEqual(await first.insertTo(peer), 'recorded', 'the same refund again');
    const more = { ...second, limits: { ...second.limits, received: 5n } };
    expectEqual(
      await store.insertRefund(more.row, more.limits),
      'inserted',
      'a refund of more than the rest',
    );
    const late = refund(one.id, 1n, 1);
    expectEqual(await late.insertTo(peer), 'nothing_charged_left', 'one of what is given back');
    expectEqual(await first.insertTo(peer), 'recorded', 'the same refund, of what is given back');
    expectEqual(await third.insertTo(store), 'inserted', 'a refund of the other attempt');
    const listed = (refunds: readonly Refund[]) => ({ refunds, unreadable: [] });
    expectEqual(
      await peer.listRefunds([one.id]),
      listed([second.row, first.row]),
      'the refunds of one attempt',
    );
    const all = await store.listRefunds([one.id, other.id, anId('att')]);
    expectEqual(all.refunds.length, 3, 'the number of all');
    expectEqual(await store.listRefunds([]), listed([]), 'the refunds of none');
  },

  'gives out what a transaction brought to a wallet once, over all projects': async ({ store, peer }) => {
    const wallet = anAddress('Subscriber');
    const mint = anAddress('Mint');
    const fixtures = [await storeFixture(store), await storeFixture(store)];
    const shops = await Promise.all(
      fixtures.map(async (fixture) => {
        const { id: planId } = await fixture.aStoredPlan({ mint });
        return refundable(store, fixture, 2, { wallet, planId }, mint);
      }),
    );
    const [here, elsewhere] = shops;
    expectThat(here !== undefined && elsewhere !== undefined, 'two shops to be stored');
    const [one, two] = here.rows;
    const [three, four] = elsewhere.rows;
    expectThat(one !== undefined && two !== undefined, 'two attempts of a shop to be stored');
    expectThat(three !== undefined && four !== undefined, 'two attempts of the other to be stored');
    const signature = aSignature();
    const lump = (shop: typeof here, attemptId: AttemptId) => shop.refund(attemptId, 24n, 1, { signature });
    // Another wallet's and another token's part of the same transaction are not of that.
    for (const [given, token] of [
      [{ wallet: anAddress('Subscriber'), planId: here.planId }, mint],
      [{ wallet }, fixtures[0]?.plan.mint],
    ] as const) {
      const beside = await refundable(store, fixtures[0] ?? (await storeFixture(store)), 1, given, token);
      const ofOther = beside.refund(beside.rows[0]?.id ?? anId('att'), 10n, 1, { signature });
      expectEqual(await ofOther.insertTo(store), 'inserted', 'a refund of another wallet or token');
    }
    expectEqual(await lump(here, one.id).insertTo(store), 'inserted', 'the first part');
    expectEqual(await lump(elsewhere, three.id).insertTo(peer), 'inserted', 'the part of another project');
    expectEqual(await lump(here, two.id).insertTo(peer), 'inserted', 'what is left');
    expectEqual(await lump(here, one.id).insertTo(peer), 'recorded', 'the first part again');
    expectEqual(await lump(elsewhere, four.id).insertTo(store), 'nothing_received_left', 'a further part');
    const { refunds } = await store.listRefunds([one.id, two.id, three.id, four.id]);
    const amountOf = new Map(refunds.map(({ attemptId, amount }) => [attemptId, amount]));
    expectEqual(
      [one, two, three, four].map(({ id }) => amountOf.get(id) ?? null),
      [10n, 4n, 10n, null],
      'the parts of the transaction',
    );
  },

  'lets no two refunds pass their limit together': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { rows, refund } = await refundable(store, fixture, 7);
    const [{ id } = { id: anId('att') }, ...others] = rows;
    const signature = aSignature();
    const racing = [
      ...Array.from({ length: 6 }, () => refund(id, 4n, 1)),
      ...others.map((other) => refund(other.id, 24n, 1, { signature })),
    ];
    await Promise.all(racing.map((one, place) => one.insertTo(place % 2 === 0 ? store : peer)));
    const sumOf = async (ids: readonly AttemptId[]) =>
      (await store.listRefunds(ids)).refunds.reduce((sum, { amount }) => sum + amount, 0n);
    expectEqual(await sumOf([id]), 10n, 'what was given back of one attempt');
    expectEqual(await sumOf(others.map((other) => other.id)), 24n, 'what one transaction gave back');
  },

  'finds the payments of a project that fit every filter, newest first': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const otherPlan: Plan = await fixture.aStoredPlan({ mint: anAddress('Mint') });
    const wallet = anAddress('Subscriber');
    const one = await paying(store, fixture, { wallet, externalId: 'reader', email: 'a@example.com' }, [
      [1],
      [5],
      [2, { ...FAILED, reason: 'program_1' }],
      [3, { fee: 5_000n, amountUsd: '4.99' }],
    ]);
    const two = await paying(store, fixture, { wallet, planId: otherPlan.id }, [
      [3],
      [4, { ...FAILED, outcome: 'blocked', reason: 'mesub' }],
      [5, { ...FAILED, reason: 'insufficient_balance' }],
    ]);
    const elsewhereOne = await paying(store, elsewhere, { wallet }, [[3]]);
    const all = [...one.rows, ...two.rows];
    const ofReason = (reason: string) => all.filter((row) => row.reason === reason);
    const { id, address } = one.subscription;
    const expected: readonly (readonly [Partial<PaymentFilter>, readonly Attempt[]])[] = [
      [{}, all],
      [{ id }, one.rows],
      [{ id, planId: otherPlan.id }, []],
      [{ address }, one.rows],
      [{ wallet }, all],
      [{ wallet, outcome: 'paid' }, all.filter((row) => row.outcome === 'paid')],
      [{ wallet, planId: otherPlan.id, reason: 'mesub' }, ofReason('mesub')],
      [{ wallet: anAddress('Subscriber') }, []],
      [{ externalId: 'reader' }, one.rows],
      [{ email: 'a@example.com', outcome: 'rejected' }, ofReason('program_1')],
      [{ email: 'b@example.com' }, []],
      [{ planId: otherPlan.id }, two.rows],
      [{ planId: otherPlan.id, outcome: 'rejected' }, ofReason('insufficient_balance')],
      [{ planId: elsewhere.plan.id }, []],
      [{ mint: otherPlan.mint }, two.rows],
      [{ mint: otherPlan.mint, planId: fixture.plan.id }, []],
      [{ mint: otherPlan.mint, reason: 'mesub' }, ofReason('mesub')],
      [{ mint: anAddress('Mint') }, []],
      [{ outcome: 'rejected' }, [...ofReason('program_1'), ...ofReason('insufficient_balance')]],
      [{ outcome: 'blocked' }, ofReason('mesub')],
      [{ outcome: 'paid', reason: 'mesub' }, []],
      [{ reason: 'program_1' }, ofReason('program_1')],
      [{ signature: one.rows[3]?.signature ?? null }, [one.rows[3] as Attempt]],
      [{ signature: one.rows[3]?.signature ?? null, wallet: anAddress('Subscriber') }, []],
      [{ signature: one.rows[3]?.signature ?? null, planId: otherPlan.id }, []],
      [{ signature: elsewhereOne.rows[0]?.signature ?? null }, []],
      [{ signature: aSignature() }, []],
      [{ since: at(3) }, all.filter((row) => row.attemptedAt >= at(3))],
      [{ until: at(3) }, all.filter((row) => row.attemptedAt < at(3))],
      [
        { since: at(2), until: at(4), wallet },
        all.filter((row) => row.attemptedAt >= at(2) && row.attemptedAt < at(4)),
      ],
    ];
    for (const [filter, rows] of expected)
      expectEqual(
        await listAll(store, fixture, filter),
        newestFirst(rows, ({ attemptedAt }) => attemptedAt),
        `what payments by ${JSON.stringify(filter)} are`,
      );
    expectEqual(
      await list(store, fixture, { id, since: at(3), until: at(5) }, null, 9),
      {
        found: [
          {
            attempt: one.rows[3],
            subscription: { wallet, externalId: 'reader', email: 'a@example.com' },
            plan: fixture.plan,
          },
        ],
        unreadable: [],
        next: null,
      },
      'the whole answer of a list of payments',
    );
  },

  'finds the payments of a customer with many subscriptions': async ({ store }) => {
    const fixture = await storeFixture(store);
    const rows: Attempt[] = [];
    for (let ms = 1; ms <= MANY; ms++)
      rows.push(...(await paying(store, fixture, { externalId: 'reader', status: 'ended' }, [[ms]])).rows);
    await paying(store, fixture, { externalId: 'other' }, [[1], [MANY]]);
    expectEqual(
      await listAll(store, fixture, { externalId: 'reader' }),
      newestFirst(rows, ({ attemptedAt }) => attemptedAt),
      'the payments of all subscriptions of the customer',
    );
  },

  'finds what belongs to many plans': async ({ store }) => {
    const fixture = await storeFixture(store);
    const mint = anAddress('Mint');
    const stored: Awaited<ReturnType<typeof paying>>[] = [];
    for (let ms = 1; ms <= MANY; ms++) {
      const { id: planId } = await fixture.aStoredPlan({ mint, endsAt: at(9000 + ms) });
      stored.push(await paying(store, fixture, { planId, createdAt: at(ms) }, [[ms]]));
    }
    await paying(store, fixture, {}, [[1]]);
    expectEqual(
      await listAll(store, fixture, { mint }),
      newestFirst(
        stored.flatMap(({ rows }) => rows),
        ({ attemptedAt }) => attemptedAt,
      ),
      'the payments in the token of the plans',
    );
    const ending = { ...ANY_SUBSCRIPTION, ending: true };
    const found = await store.searchSubscriptions(fixture.project.id, ending, at(1), {
      limit: 2 * MANY,
      startingAfter: null,
    });
    expectThat(found !== 'unknown_cursor', 'a search from the begin to be answered');
    expectEqual(
      found.found.map(({ subscription }) => subscription.id),
      newestFirst(
        stored.map(({ subscription }) => subscription),
        created,
      ),
      'the subscriptions that end with the plans',
    );
  },

  'neither repeats nor skips payments while others are written': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const { rows } = await paying(
      store,
      fixture,
      {},
      [5, 5, 5, 1, 9, 5, 9, 3, 1].map((ms, place) => [ms, { periodStart: at(place) }] as const),
    );
    const foreign = await paying(store, elsewhere, {}, [[1]]);
    expectEqual(
      await listAll(store, fixture, {}, async () => {
        await paying(peer, fixture, {}, [[1000]]);
      }),
      newestFirst(rows, ({ attemptedAt }) => attemptedAt),
      'the payments stored before the first page',
    );
    for (const startingAfter of [foreign.rows[0]?.id ?? null, anId('att')] as AttemptId[])
      expectEqual(
        await store.searchPayments(fixture.project.id, EVERYTHING, { limit: 2, startingAfter }),
        'unknown_cursor',
        'the page after an attempt that the project does not have',
      );
  },
};
