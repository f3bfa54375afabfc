import type {
  ApiKey,
  Attempt,
  Delivery,
  Endpoint,
  Event,
  Plan,
  Project,
  Subscription,
  Transfer,
} from '../records/index.js';
import { periodFrom, plus } from '../rules/grid.js';

/** The instant every built record is made around, unless told otherwise. */
export const T0 = new Date('2026-01-01T00:00:00.000Z');

const HOUR_MS = 3_600_000;
let made = 0;

/** A fresh id in the form of D1.1. Counted, not random: tests read in order. */
function id<Id extends string>(prefix: string): Id {
  return `${prefix}_${(made++).toString().padStart(24, '0')}` as Id;
}

/** A business project. */
export function aProject(facts: Partial<Project> = {}): Project {
  return {
    id: id('proj'),
    name: 'Acme',
    tier: 'business',
    logoUrl: null,
    cancelUrl: null,
    subscriberLimit: null,
    createdAt: T0,
    ...facts,
  };
}

/** A live key. */
export function anApiKey(facts: Partial<ApiKey> = {}): ApiKey {
  return {
    id: id('key'),
    projectId: id('proj'),
    hash: (made++).toString(16).padStart(64, '0'),
    createdAt: T0,
    lastUsedAt: null,
    revokedAt: null,
    ...facts,
  };
}

/** A published plan of 10 tokens every 30 days. */
export function aPlan(facts: Partial<Plan> = {}): Plan {
  const number = made++;
  return {
    id: id('plan'),
    projectId: id('proj'),
    version: 1,
    status: 'active',
    slug: `plan-${number}`,
    name: `Plan ${number}`,
    description: null,
    website: null,
    logoUrl: null,
    owner: 'owner-wallet',
    number: BigInt(number),
    address: `plan-address-${number}`,
    createdOnChainAt: plus(T0, -HOUR_MS),
    mint: 'mint-address',
    tokenProgram: 'token-program',
    decimals: 6,
    amount: 10_000_000n,
    periodHours: 720,
    destinations: [],
    endsAt: null,
    retryPolicy: null,
    operatorPlan: false,
    createdAt: plus(T0, -HOUR_MS),
    ...facts,
  };
}

/** A checkout that waits for its wallet to sign. */
export function aPendingSubscription(facts: Partial<Subscription> = {}): Subscription {
  const number = made++;
  const checkoutExpiresAt = plus(T0, 30 * 60_000);
  return {
    id: id('sub'),
    projectId: id('proj'),
    planId: id('plan'),
    version: 1,
    status: 'pending',
    wallet: `wallet-${number}`,
    externalId: null,
    email: null,
    address: `subscription-address-${number}`,
    incarnation: null,
    endReason: null,
    lateReason: null,
    stopReason: null,
    pausedAt: null,
    blockedSince: null,
    blockedReason: null,
    paidPeriodStart: null,
    paidPeriodEnd: null,
    missedUntil: null,
    late: null,
    cancellation: null,
    nextTryAt: null,
    goneSince: null,
    termsSigned: false,
    checkoutExpiresAt,
    terms: null,
    built: null,
    accessAnnounced: false,
    lastSequence: 0,
    lastEventAt: null,
    paidCount: 0,
    paidAmount: 0n,
    previousId: null,
    createdAt: T0,
    confirmedAt: null,
    closedAt: null,
    wakeAt: checkoutExpiresAt,
    ...facts,
  };
}

/** A subscription of the plan whose first period, from T0 on, is paid. */
export function anActiveSubscription(plan: Plan, facts: Partial<Subscription> = {}): Subscription {
  const { end } = periodFrom(T0, plan);
  return aPendingSubscription({
    projectId: plan.projectId,
    planId: plan.id,
    status: 'active',
    incarnation: { generation: 7n, planCreatedAt: plan.createdOnChainAt ?? T0, anchor: T0 },
    paidPeriodStart: T0,
    paidPeriodEnd: end,
    nextTryAt: end,
    termsSigned: true,
    checkoutExpiresAt: null,
    accessAnnounced: true,
    lastSequence: 2,
    lastEventAt: T0,
    paidCount: 1,
    paidAmount: plan.amount,
    confirmedAt: T0,
    wakeAt: end,
    ...facts,
  });
}

/** A charge under way for the period that starts at T0. */
export function aTransfer(facts: Partial<Transfer> = {}): Transfer {
  const number = made++;
  return {
    id: id('trf'),
    subscriptionId: id('sub'),
    kind: 'charge',
    trigger: 'schedule',
    signature: `signature-${number}`,
    wire: `wire-${number}`,
    amount: 10_000_000n,
    periodStart: T0,
    lastValidBlockHeight: 150n,
    state: 'open',
    reasonCode: null,
    absentLooks: 0,
    waitRecorded: false,
    createdAt: T0,
    resolvedAt: null,
    ...facts,
  };
}

/** A paid charge of the period that starts at T0. */
export function anAttempt(facts: Partial<Attempt> = {}): Attempt {
  return {
    id: id('att'),
    subscriptionId: id('sub'),
    attemptedAt: T0,
    outcome: 'paid',
    reason: null,
    amount: 10_000_000n,
    amountReceived: 10_000_000n,
    amountUsd: null,
    signature: `signature-${made++}`,
    retry: false,
    retryNumber: null,
    retriesAllowed: null,
    periodStart: T0,
    ...facts,
  };
}

export function anEvent(facts: Partial<Event> = {}): Event {
  return {
    id: id('evt'),
    projectId: id('proj'),
    subscriptionId: id('sub'),
    type: 'subscription.renewed',
    createdAt: T0,
    sequence: 1,
    data: { status: 'active' },
    detail: {},
    body: null,
    ...facts,
  };
}

/** An enabled endpoint that selects renewals. */
export function anEndpoint(facts: Partial<Endpoint> = {}): Endpoint {
  return {
    id: id('whe'),
    projectId: id('proj'),
    version: 1,
    url: `https://example.com/hooks/${made++}`,
    types: ['subscription.renewed'],
    enabled: true,
    disabledReason: null,
    secrets: [{ sealed: 'sealed', createdAt: T0, expiresAt: null }],
    failingSince: null,
    createdAt: T0,
    ...facts,
  };
}

/** A delivery that is due at T0. */
export function aDelivery(facts: Partial<Delivery> = {}): Delivery {
  return {
    id: id('dlv'),
    projectId: id('proj'),
    eventId: id('evt'),
    endpointId: id('whe'),
    state: 'pending',
    attempts: 0,
    nextAttemptAt: T0,
    lastStatus: null,
    lastExcerpt: null,
    createdAt: T0,
    settledAt: null,
    ...facts,
  };
}
