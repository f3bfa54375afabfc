import {
  aCommit,
  aDelivery,
  anApiKey,
  anAttempt,
  anEndpoint,
  anId,
  aPlan,
  aProject,
  aTransfer,
} from '../../records.js';
import type { Late } from '../../../records/index.js';
import { expectEach, expectEqual } from '../../expect.js';
import type { StoreTests } from '../store-under-test.js';
import { at, eventOf, mustCommit, nextVersion, storeFixture, subscriptionOf } from '../fixture.js';

const U64 = 2n ** 64n - 1n;
const LATE: Late = {
  periodStart: at(6),
  graceUntil: at(7),
  automatic: { spent: 1, allowed: 3, waitMs: 86_400_000, nextAt: at(20) },
  deadline: at(8),
  byHand: { count: 2, lastAt: at(21) },
  queuedAt: at(22),
};
const UNUSUAL_TEXT = 'Zoë\'s ☕ 𝄞 "\\ %_ ; -- null';

/** Tests that every record is read exactly as it was written. */
export const roundTripTests: StoreTests = {
  'reads a project as it was written': async ({ store }) => {
    const full = aProject({
      name: UNUSUAL_TEXT,
      tier: 'free',
      logoUrl: 'https://example.com/logo.png',
      cancelUrl: 'https://example.com/cancel',
      subscriberLimit: 7,
      publishedPlansLimit: 0,
      createdAt: at(1),
    });
    const bare = aProject();
    await store.insertProject(full);
    await store.insertProject(bare);
    expectEqual(await store.findProject(full.id), full, 'a project with every field');
    expectEqual(await store.findProject(bare.id), bare, 'a project with null in every nullable field');
  },

  'reads a plan as it was written, with amounts up to 2^64 - 1': async ({ store, raw }) => {
    const { project } = await storeFixture(store);
    const full = aPlan({
      projectId: project.id,
      status: 'sunset',
      description: UNUSUAL_TEXT,
      website: 'https://example.com',
      logoUrl: 'https://example.com/plan.png',
      number: U64,
      amount: U64,
      destinations: ['one', 'two'],
      endsAt: at(123_456_789),
      retryPolicy: { attempts: 3, waitMs: 900_000 },
      operatorPlan: true,
      tokenNames: { symbol: 'TKN', name: 'A token' },
      onePerCustomer: true,
      pullers: ['three', 'four'],
      goneSince: at(8),
      nextCheckAt: at(9),
      createdAt: at(7),
    });
    const bare = aPlan({ projectId: project.id, amount: 1n, number: 0n, createdOnChainAt: null });
    await store.insertPlan(full);
    await store.insertPlan(bare);
    expectEqual(await store.findPlan(full.id), full, 'a plan with every field');
    expectEqual(await store.findPlan(bare.id), bare, 'a plan with null in every nullable field');
    expectEqual((await raw.plan(full.id))?.amount, '18446744073709551615', 'the stored amount');
  },

  'reads a subscription as it was written, with nested dates and sums above 2^64': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const earlier = await fixture.aStoredSubscription({ status: 'stopped' });
    const full = fixture.aSubscription({
      status: 'unpaid',
      externalId: UNUSUAL_TEXT,
      email: 'reader@example.com',
      reservedFor: anId('chk'),
      customerTyped: true,
      reservedByLink: anId('lnk'),
      incarnation: { generation: 2n ** 63n - 1n, planCreatedAt: at(1), anchor: at(2) },
      endReason: 'closed_elsewhere',
      lateReason: 'insufficient_balance',
      stopReason: 'out_of_retries',
      pausedAt: at(3),
      blockedSince: at(4),
      blockedReason: 'mint_paused',
      blockedAccessUntil: at(23),
      missedUntil: at(5),
      renewalNoticeNotBefore: at(6),
      reminderNotBefore: at(26),
      late: LATE,
      cancellation: {
        ...{ confirmedAt: at(9), expiresAt: at(10), behind: true },
        lapse: { late: LATE, lateReason: 'insufficient_balance' },
      },
      nextTryAt: at(11),
      goneSince: at(12),
      nextCheckAt: at(24),
      checkoutExpiresAt: at(13),
      terms: {
        message: UNUSUAL_TEXT,
        facts: 'facts',
        nonce: '0123456789ab',
        expiresAt: at(14),
        spentAt: at(15),
      },
      built: { action: 'resume', transaction: 'AQID', lastValidBlockHeight: U64, builtAt: at(16) },
      accessEndsAt: at(22),
      lastSequence: 9,
      lastEventAt: at(17),
      paidCount: 3,
      paidAmount: U64 * 3n,
      previousId: earlier.id,
      replacedById: earlier.id,
      createdAt: at(18),
      confirmedAt: at(19),
      closedAt: at(20),
      wakeAt: at(21),
    });
    const bare = fixture.aSubscription({
      incarnation: null,
      paidPeriodStart: null,
      paidPeriodEnd: null,
      nextTryAt: null,
      termsSigned: false,
      lastAnnouncedAccess: false,
      paidAmount: 0n,
      confirmedAt: null,
      wakeAt: null,
    });
    await mustCommit(store, aCommit(full), aCommit(bare));
    await expectEach(
      [() => subscriptionOf(store, full), full, 'a subscription with every field'],
      [() => subscriptionOf(store, bare), bare, 'a subscription of nulls'],
      [
        () => raw.subscription(full.id),
        {
          version: 1,
          status: 'unpaid',
          paidAmount: '55340232221128654845',
          createdAt: at(18).getTime(),
          wakeAt: at(21).getTime(),
        },
        'the stored subscription',
      ],
    );

    const { id, wallet, reservedFor, reservedByLink, address, createdAt, projectId } = bare;
    const fixed = { id, wallet, reservedFor, reservedByLink, address, createdAt };
    const withEveryField = nextVersion({ ...full, ...fixed });
    await mustCommit(store, aCommit(withEveryField));
    expectEqual(await store.findSubscription(projectId, id), withEveryField, 'a full next version');
    const withNulls = nextVersion({ ...bare, version: withEveryField.version });
    await mustCommit(store, aCommit(withNulls));
    expectEqual(await store.findSubscription(projectId, id), withNulls, 'a next version of nulls');
    const changed = nextVersion(full, { email: null });
    await mustCommit(store, aCommit(changed));
    expectEqual(await subscriptionOf(store, full), changed, 'a next version of a reserved one');
  },

  'reads null in nested objects as null': async ({ store }) => {
    const fixture = await storeFixture(store);
    const stored = await fixture.aStoredSubscription({
      late: {
        periodStart: at(1),
        graceUntil: null,
        automatic: null,
        deadline: null,
        byHand: { count: 0, lastAt: null },
        queuedAt: null,
      },
      terms: { message: 'm', facts: 'f', nonce: 'n', expiresAt: at(3), spentAt: null },
    });
    expectEqual(await subscriptionOf(store, stored), stored, 'the subscription');
  },

  'reads a transfer, an attempt and signed terms as they were written': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const subscriptionId = subscription.id;
    const full = aTransfer({
      subscriptionId,
      trigger: 'retry',
      amount: U64,
      periodStart: at(1),
      lastValidBlockHeight: U64,
      state: 'failed',
      reasonCode: 'transaction_failed',
      notFoundCount: 1,
      longWaitRecorded: true,
      lamports: U64,
      resolvedAt: at(2),
    });
    const bare = aTransfer({
      subscriptionId,
      kind: 'subscribe',
      trigger: null,
      paymentIndex: 3,
      periodStart: null,
    });
    const paid = anAttempt({
      subscriptionId,
      amount: U64,
      amountReceived: U64 - 1n,
      amountUsd: '19.99',
      fee: U64,
      retry: true,
      retryNumber: 2,
      retriesAllowed: 3,
    });
    const rejected = anAttempt({
      subscriptionId,
      attemptedAt: at(-1),
      outcome: 'rejected',
      reason: 'insufficient_balance',
      amount: 0n,
      amountReceived: null,
      signature: null,
      periodStart: null,
    });
    await mustCommit(store, aCommit(subscription, { transfers: [full, bare], attempts: [paid, rejected] }));
    await expectEach(
      [() => store.findTransferBySignature(full.signature), full, 'a transfer with every field'],
      [() => store.findOpenTransfer(subscriptionId), bare, 'a transfer with null in every nullable field'],
      [
        () => store.listAttempts(subscriptionId, { limit: 5, startingAfter: null }),
        { data: [{ ...paid, receiptNumber: 1 }, rejected], hasMore: false },
        'the attempts',
      ],
      [
        () => raw.transfer(full.id),
        { state: 'failed', amount: '18446744073709551615', periodStart: at(1).getTime() },
        'the stored transfer',
      ],
    );
  },

  'reads an API key, an endpoint, an event and a delivery as they were written': async ({ store }) => {
    const fixture = await storeFixture(store);
    const projectId = fixture.project.id;
    const apiKey = anApiKey({
      projectId,
      name: UNUSUAL_TEXT,
      createdAt: at(1),
      lastUsedAt: at(2),
      expiresAt: at(3),
    });
    await store.insertApiKey(apiKey);
    const endpoint = anEndpoint({
      projectId,
      types: ['subscription.renewed', 'subscription.ended'],
      enabled: false,
      disabledReason: 'gone',
      secrets: [
        { sealed: UNUSUAL_TEXT, createdAt: at(3), expiresAt: null },
        { sealed: 'older', createdAt: at(1), expiresAt: at(4) },
      ],
      failingSince: at(5),
    });
    await store.insertEndpoint(endpoint);

    const subscription = fixture.aSubscription({ lastSequence: 2 });
    const event = eventOf(subscription, 1, {
      type: 'subscription.renewed',
      createdAt: at(6),
      data: { text: UNUSUAL_TEXT, nothing: null, many: [1, -0.5, true, { deep: [] }] },
      detail: { amount: '10' },
      body: UNUSUAL_TEXT,
    });
    const delivery = aDelivery({
      projectId,
      eventId: event.id,
      endpointId: endpoint.id,
      type: 'subscription.renewed',
      attempts: 11,
      attemptsBefore: 7,
      nextAttemptAt: at(7),
      lastStatus: 503,
      lastExcerpt: UNUSUAL_TEXT,
    });
    await mustCommit(
      store,
      aCommit(subscription, { events: [event, eventOf(subscription, 2)], deliveries: [delivery] }),
    );
    await expectEach(
      [() => store.findApiKey(apiKey.hash), { key: apiKey, project: fixture.project }, 'the API key'],
      [() => store.findEndpoint(projectId, endpoint.id), endpoint, 'the endpoint'],
      [() => store.findEvent(projectId, event.id), event, 'the event'],
      [
        () => store.listDueDeliveries(endpoint.id, at(7), 9, at(9)),
        { due: [{ delivery, event }], unreadable: [] },
        'the delivery with its event',
      ],
    );
  },
};
