import type { Commit } from '../ports/store.js';
import type {
  AuditEntry,
  ApiKey,
  Attempt,
  Delivery,
  DeliveryAttempt,
  Endpoint,
  SubscriptionEvent,
  IdOf,
  Link,
  ManagementKey,
  Plan,
  Project,
  Session,
  Subscription,
  Transfer,
} from '../records/index.js';

// Factories of records for tests. Each call makes a valid record with new ids, and the given fields replace
// its defaults. Give the ids of records that it refers to (`projectId`, `planId`, `subscriptionId`), since a
// default id refers to nothing.

/** The default `createdAt` of the records of this file. */
export const MADE_AT = new Date('2026-01-01T00:00:00.000Z');

let lastSerial = 0;

function serial(): number {
  return ++lastSerial;
}

/** Makes an id of this kind, different from every other one of this process. */
export function anId<Kind extends keyof IdOf>(kind: Kind): IdOf[Kind] {
  return `${kind}_${String(serial()).padStart(24, '0')}` as unknown as IdOf[Kind];
}

/** Makes an address, unlike all others of this process: base58 of 32 bytes that begins with `start`. */
export function anAddress(start: 'Subscriber' | 'Merchant' | 'Mint' | 'Account' = 'Account'): string {
  return base58Name(start, 43);
}

/** Makes a transaction signature, different from every other one of this process: base58 of 64 bytes. */
export function aSignature(): string {
  return base58Name('Signature', 87);
}

function base58Name(start: string, length: number): string {
  // Base58 has no zero.
  const end = String(serial()).replaceAll('0', 'o');
  return start + end.padStart(length - start.length, 'x');
}

/** Makes a project of the Business tier. */
export function aProject(given: Partial<Project> = {}): Project {
  return {
    id: anId('proj'),
    name: 'Night Library',
    tier: 'business',
    logoUrl: null,
    cancelUrl: null,
    subscriberLimit: null,
    publishedPlansLimit: null,
    createdAt: MADE_AT,
    ...given,
  };
}

/** Makes an API key that was neither used nor revoked. */
export function anApiKey(given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: anId('key'),
    projectId: anId('proj'),
    name: null,
    hash: serial().toString(16).padStart(64, '0'),
    createdAt: MADE_AT,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...given,
  };
}

/** Makes a management key that may read, and was neither used nor revoked. */
export function aManagementKey(given: Partial<ManagementKey> = {}): ManagementKey {
  return {
    id: anId('mkey'),
    name: 'Laptop',
    access: 'read',
    hash: serial().toString(16).padStart(64, '0'),
    createdAt: MADE_AT,
    lastUsedAt: null,
    revokedAt: null,
    ...given,
  };
}

/** Makes an audit entry of a change that has not ended, on no project. */
export function anAuditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: anId('aud'),
    createdAt: MADE_AT,
    actor: 'process',
    operation: 'projects.create',
    projectId: null,
    subject: null,
    input: {},
    outcome: null,
    ...given,
  };
}

/**
 * Makes an active plan of 10 tokens (of 6 decimals) every 30 days.
 *
 * @example
 * const plan = aPlan({ projectId: project.id, status: 'sunset' });
 */
export function aPlan(given: Partial<Plan> = {}): Plan {
  const number = serial();
  return {
    id: anId('plan'),
    projectId: anId('proj'),
    version: 1,
    status: 'active',
    slug: `reader-${number}`,
    name: `Reader ${number}`,
    description: null,
    website: null,
    logoUrl: null,
    owner: anAddress('Merchant'),
    number: BigInt(number),
    address: anAddress(),
    createdOnChainAt: MADE_AT,
    mint: anAddress('Mint'),
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    decimals: 6,
    amount: 10_000_000n,
    periodHours: 720,
    destinations: [],
    endsAt: null,
    retryPolicy: null,
    operatorPlan: false,
    tokenNames: null,
    onePerCustomer: false,
    pullers: null,
    goneSince: null,
    nextCheckAt: null,
    createdAt: MADE_AT,
    ...given,
  };
}

/** Makes an active subscription that is paid for its first period, without external id and email. */
export function aSubscription(given: Partial<Subscription> = {}): Subscription {
  const paidUntil = new Date(MADE_AT.getTime() + 720 * 3_600_000);
  return {
    id: anId('sub'),
    projectId: anId('proj'),
    planId: anId('plan'),
    version: 1,
    status: 'active',
    wallet: anAddress('Subscriber'),
    externalId: null,
    email: null,
    reservedFor: null,
    customerTyped: false,
    reservedByLink: null,
    address: anAddress(),
    incarnation: { generation: 1n, planCreatedAt: MADE_AT, anchor: MADE_AT },
    endReason: null,
    lateReason: null,
    stopReason: null,
    pausedAt: null,
    blockedSince: null,
    blockedReason: null,
    blockedAccessUntil: null,
    paidPeriodStart: MADE_AT,
    paidPeriodEnd: paidUntil,
    missedUntil: null,
    renewalNoticeNotBefore: null,
    reminderNotBefore: null,
    late: null,
    cancellation: null,
    nextTryAt: paidUntil,
    goneSince: null,
    nextCheckAt: null,
    termsSigned: true,
    checkoutExpiresAt: null,
    terms: null,
    built: null,
    lastAnnouncedAccess: true,
    accessEndsAt: null,
    lastSequence: 0,
    lastEventAt: null,
    hasHeldEvents: false,
    paidCount: 1,
    paidAmount: 10_000_000n,
    previousId: null,
    replacedById: null,
    createdAt: MADE_AT,
    confirmedAt: MADE_AT,
    closedAt: null,
    lostAt: null,
    wakeAt: paidUntil,
    ...given,
  };
}

/** Makes a pending checkout: nothing is signed, paid or on chain. */
export function aCheckout(given: Partial<Subscription> = {}): Subscription {
  const expiresAt = new Date(MADE_AT.getTime() + 30 * 60_000);
  return aSubscription({
    status: 'pending',
    incarnation: null,
    paidPeriodStart: null,
    paidPeriodEnd: null,
    nextTryAt: null,
    termsSigned: false,
    checkoutExpiresAt: expiresAt,
    lastAnnouncedAccess: false,
    paidCount: 0,
    paidAmount: 0n,
    confirmedAt: null,
    wakeAt: expiresAt,
    ...given,
  });
}

/** Makes an open transfer of a scheduled charge. */
export function aTransfer(given: Partial<Transfer> = {}): Transfer {
  return {
    id: anId('trf'),
    subscriptionId: anId('sub'),
    kind: 'charge',
    trigger: 'schedule',
    signature: aSignature(),
    paymentIndex: 0,
    wire: 'AQID',
    amount: 10_000_000n,
    periodStart: MADE_AT,
    lastValidBlockHeight: 300n,
    state: 'open',
    reasonCode: null,
    notFoundCount: 0,
    longWaitRecorded: false,
    lamports: null,
    createdAt: MADE_AT,
    resolvedAt: null,
    ...given,
  };
}

/** Makes an attempt that paid at the first try. */
export function anAttempt(given: Partial<Attempt> = {}): Attempt {
  return {
    id: anId('att'),
    subscriptionId: anId('sub'),
    attemptedAt: MADE_AT,
    outcome: 'paid',
    reason: null,
    amount: 10_000_000n,
    amountReceived: 10_000_000n,
    amountUsd: null,
    signature: aSignature(),
    fee: null,
    retry: false,
    retryNumber: null,
    retriesAllowed: null,
    periodStart: MADE_AT,
    receiptNumber: null,
    receiptPrefix: null,
    ...given,
  };
}

/** Makes the first event of a subscription, without a body. */
export function anEvent(given: Partial<SubscriptionEvent> = {}): SubscriptionEvent {
  return {
    id: anId('evt'),
    projectId: anId('proj'),
    subscriptionId: anId('sub'),
    type: 'subscription.created',
    createdAt: MADE_AT,
    sequence: 1,
    data: {},
    detail: {},
    heldState: null,
    body: null,
    ...given,
  };
}

/** Makes an enabled endpoint that selects one event type. */
export function anEndpoint(given: Partial<Endpoint> = {}): Endpoint {
  return {
    id: anId('whe'),
    projectId: anId('proj'),
    version: 1,
    url: `https://example.com/hooks/${serial()}`,
    types: ['subscription.created'],
    enabled: true,
    disabledReason: null,
    secrets: [{ sealed: 'sealed', createdAt: MADE_AT, expiresAt: null }],
    failingSince: null,
    createdAt: MADE_AT,
    deletedAt: null,
    ...given,
  };
}

/** Makes a pending delivery that was never attempted and is due. */
export function aDelivery(given: Partial<Delivery> = {}): Delivery {
  return {
    id: anId('dlv'),
    projectId: anId('proj'),
    eventId: anId('evt'),
    endpointId: anId('whe'),
    type: 'subscription.created',
    state: 'pending',
    attempts: 0,
    attemptsBefore: 0,
    nextAttemptAt: MADE_AT,
    lastStatus: null,
    lastExcerpt: null,
    createdAt: MADE_AT,
    settledAt: null,
    ...given,
  };
}

/** Makes the failed first attempt of a delivery, after which another one follows. */
export function aDeliveryAttempt(given: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return {
    deliveryId: anId('dlv'),
    number: 1,
    startedAt: MADE_AT,
    durationMs: 120,
    status: 500,
    excerpt: 'down',
    nextAttemptAt: MADE_AT,
    ...given,
  };
}

/** Makes a checkout of no plan and no named customer, which lasts a day. */
export function aSession(given: Partial<Session> = {}): Session {
  return {
    id: anId('chk'),
    kind: 'checkout',
    projectId: anId('proj'),
    secretHash: serial().toString(16).padStart(64, '0'),
    externalId: null,
    email: null,
    subscriptionId: null,
    planIds: [],
    askEmail: false,
    successUrl: null,
    backUrl: null,
    locale: null,
    linkId: null,
    createdAt: MADE_AT,
    expiresAt: new Date(MADE_AT.getTime() + 24 * 3_600_000),
    ...given,
  };
}

/** Makes a plan link that was not ended. */
export function aLink(given: Partial<Link> = {}): Link {
  return {
    id: anId('lnk'),
    projectId: anId('proj'),
    planId: anId('plan'),
    replacesPlanId: null,
    askEmail: false,
    successUrl: null,
    createdAt: MADE_AT,
    endedAt: null,
    ...given,
  };
}

/** Makes a commit of one subscription, with no other rows than the given ones. */
export function aCommit(
  subscription: Subscription,
  given: Partial<Omit<Commit, 'subscription'>> = {},
): Commit {
  return {
    subscription,
    attempts: [],
    transfers: [],
    events: [],
    deliveries: [],
    movements: [],
    mails: [],
    signedTerms: null,
    ...given,
  };
}
