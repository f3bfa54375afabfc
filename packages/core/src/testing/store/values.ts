import {
  aCommit,
  aDelivery,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  aTransfer,
} from '../records.js';
import { same } from './judge.js';
import type { Promises } from './subject.js';
import { aStoredSubscription, at, aWorld, committed, eventOf, next, of } from './world.js';

const U64 = 2n ** 64n - 1n;
const STRANGE = 'Zoë\'s ☕ 𝄞 "\\ %_ ; -- null';

/** What is read back is what was written, exactly. */
export const values: Promises = {
  'a project comes back as it was written': async ({ store }) => {
    const full = aProject({
      name: STRANGE,
      tier: 'free',
      logoUrl: 'https://example.com/logo.png',
      cancelUrl: 'https://example.com/cancel',
      subscriberLimit: 7,
      createdAt: at(1),
    });
    const bare = aProject();
    await store.insertProject(full);
    await store.insertProject(bare);
    same(await store.findProject(full.id), full, 'a project with every field');
    same(await store.findProject(bare.id), bare, 'a project with every null');
  },

  'a plan comes back as it was written, amounts to 2^64 - 1': async ({ store, raw }) => {
    const { project } = await aWorld(store);
    const full = aPlan({
      projectId: project.id,
      status: 'sunset',
      description: STRANGE,
      website: 'https://example.com',
      logoUrl: 'https://example.com/plan.png',
      number: U64,
      amount: U64,
      destinations: ['one', 'two'],
      endsAt: at(123_456_789),
      retryPolicy: { attempts: 3, waitMs: 900_000 },
      operatorPlan: true,
      createdAt: at(7),
    });
    const bare = aPlan({ projectId: project.id, amount: 1n, number: 0n, createdOnChainAt: null });
    await store.insertPlan(full);
    await store.insertPlan(bare);
    same(await store.findPlan(full.id), full, 'a plan with every field');
    same(await store.findPlan(bare.id), bare, 'a plan with every null');
    same((await raw.plan(full.id))?.amount, '18446744073709551615', 'the stored amount');
  },

  'a subscription comes back as it was written, nested instants and sums past 2^64 included': async ({
    store,
    raw,
  }) => {
    const world = await aWorld(store);
    const earlier = await aStoredSubscription(store, world, { status: 'stopped' });
    const full = aSubscription({
      ...of(world),
      status: 'unpaid',
      externalId: STRANGE,
      email: 'reader@example.com',
      incarnation: { generation: 2n ** 63n - 1n, planCreatedAt: at(1), anchor: at(2) },
      endReason: 'closed_elsewhere',
      lateReason: 'insufficient_balance',
      stopReason: 'out_of_retries',
      pausedAt: at(3),
      blockedSince: at(4),
      blockedReason: 'mint_paused',
      missedUntil: at(5),
      late: {
        periodStart: at(6),
        rejectedAt: at(7),
        automatic: { spent: 1, allowed: 3, waitMs: 86_400_000, nextAt: at(20) },
        deadline: at(8),
        byHand: { count: 2, lastAt: at(21) },
        queuedAt: at(22),
      },
      cancellation: { confirmedAt: at(9), expiresAt: at(10), behind: true },
      nextTryAt: at(11),
      goneSince: at(12),
      checkoutExpiresAt: at(13),
      terms: { message: STRANGE, facts: 'facts', nonce: '0123456789ab', expiresAt: at(14), spentAt: at(15) },
      built: { action: 'resume', transaction: 'AQID', lastValidBlockHeight: U64, builtAt: at(16) },
      lastSequence: 9,
      lastEventAt: at(17),
      paidCount: 3,
      paidAmount: U64 * 3n,
      previousId: earlier.id,
      createdAt: at(18),
      confirmedAt: at(19),
      closedAt: at(20),
      wakeAt: at(21),
    });
    const bare = aSubscription({
      ...of(world),
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
    await committed(store, aCommit(full), aCommit(bare));
    same(await store.findSubscription(full.projectId, full.id), full, 'a subscription with every field');
    same(await store.findSubscription(bare.projectId, bare.id), bare, 'a subscription with every null');
    same(
      await raw.subscription(full.id),
      {
        version: 1,
        status: 'unpaid',
        paidAmount: '55340232221128654845',
        createdAt: at(18).getTime(),
        wakeAt: at(21).getTime(),
      },
      'the stored subscription',
    );

    const { id, wallet, address, createdAt, projectId } = bare;
    const grown = next({ ...full, id, wallet, address, createdAt });
    await committed(store, aCommit(grown));
    same(await store.findSubscription(projectId, id), grown, 'a next version with every field');
    const emptied = next({ ...bare, version: grown.version });
    await committed(store, aCommit(emptied));
    same(await store.findSubscription(projectId, id), emptied, 'a next version with every null');
  },

  'inner parts that are null come back as null': async ({ store }) => {
    const world = await aWorld(store);
    const stored = await aStoredSubscription(store, world, {
      late: {
        periodStart: at(1),
        rejectedAt: at(2),
        automatic: null,
        deadline: null,
        byHand: { count: 0, lastAt: null },
        queuedAt: null,
      },
      terms: { message: 'm', facts: 'f', nonce: 'n', expiresAt: at(3), spentAt: null },
    });
    same(await store.findSubscription(stored.projectId, stored.id), stored, 'the subscription');
  },

  'a transfer, an attempt and signed terms come back as they were written': async ({ store, raw }) => {
    const world = await aWorld(store);
    const subscription = aSubscription(of(world));
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
      resolvedAt: at(2),
    });
    const bare = aTransfer({ subscriptionId, kind: 'subscribe', trigger: null, periodStart: null });
    const paid = anAttempt({
      subscriptionId,
      amount: U64,
      amountReceived: U64 - 1n,
      amountUsd: '19.99',
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
    const signedTerms = { subscriptionId, message: `one\n${STRANGE}`, signature: 'sig', signedAt: at(3) };
    await committed(
      store,
      aCommit(subscription, { transfers: [full, bare], attempts: [paid, rejected], signedTerms }),
    );
    same(await store.findTransferBySignature(full.signature), full, 'a transfer with every field');
    same(await store.findOpenTransfer(subscriptionId), bare, 'a transfer with every null');
    same(
      await store.listAttempts(subscriptionId, { limit: 5, startingAfter: null }),
      { data: [paid, rejected], hasMore: false },
      'the attempts',
    );
    same(await store.findSignedTerms(subscriptionId), signedTerms, 'the signed terms');
    same(
      await raw.transfer(full.id),
      { state: 'failed', amount: '18446744073709551615', periodStart: at(1).getTime() },
      'the stored transfer',
    );
  },

  'an API key, an endpoint, an event and a delivery come back as they were written': async ({ store }) => {
    const world = await aWorld(store);
    const projectId = world.project.id;
    const apiKey = anApiKey({ projectId, createdAt: at(1), lastUsedAt: at(2) });
    await store.insertApiKey(apiKey);
    const endpoint = anEndpoint({
      projectId,
      types: ['subscription.renewed', 'subscription.ended'],
      enabled: false,
      disabledReason: 'gone',
      secrets: [
        { sealed: STRANGE, createdAt: at(3), expiresAt: null },
        { sealed: 'older', createdAt: at(1), expiresAt: at(4) },
      ],
      failingSince: at(5),
    });
    await store.insertEndpoint(endpoint);
    const subscription = aSubscription({ ...of(world), lastSequence: 2 });
    const event = anEvent({
      projectId,
      subscriptionId: subscription.id,
      type: 'subscription.renewed',
      createdAt: at(6),
      data: { text: STRANGE, nothing: null, many: [1, -0.5, true, { deep: [] }] },
      detail: { amount: '10' },
      body: STRANGE,
    });
    const delivery = aDelivery({
      projectId,
      eventId: event.id,
      endpointId: endpoint.id,
      state: 'failed',
      attempts: 11,
      nextAttemptAt: null,
      lastStatus: 503,
      lastExcerpt: STRANGE,
      settledAt: at(8),
    });
    await committed(
      store,
      aCommit(subscription, { events: [event, eventOf(subscription, 2)], deliveries: [delivery] }),
    );
    same(await store.findApiKey(apiKey.hash), { key: apiKey, project: world.project }, 'the API key');
    same(await store.findEndpoint(projectId, endpoint.id), endpoint, 'the endpoint');
    same(await store.findEvent(projectId, event.id), event, 'the event');
    same(await store.listDeliveries(event.id), [delivery], 'the delivery');
  },
};
