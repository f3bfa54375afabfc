import type { Customer, FullStoreOperations, PaymentFilter, SubscriptionFilter } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  aDeliveryAttempt,
  aManagementKey,
  anAuditEntry,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  aLink,
  aMail,
  aPlan,
  aProject,
  aRefund,
  aSession,
  aSignature,
  aSubscription,
  aTransfer,
  MADE_AT,
  someFigures,
} from '@subrail/core/testing';
import { LARGE_NOW as NOW, LARGE_WINDOW as WINDOW, largeId } from './fill-large.js';

const DAY = 86_400_000;
const LEASE_MS = 60_000;

/** Of each operation of the store every call that reads or writes in another way. */
export type Calls = Readonly<Record<keyof FullStoreOperations, readonly (() => Promise<unknown>)[]>>;

/**
 * Calls of every operation on a store of `fillLarge`, in the largest project. A new operation does not
 * compile until it is here.
 */
export function everyCall(store: FullStoreOperations): Calls {
  const projectId = largeId('proj', 1_000_000_000);
  const planId = largeId('plan', 1_000_000_000);
  // The number is even, so that its project is the largest one.
  const [subscriptionId, eventId, deliveryId] = [
    largeId('sub', 400),
    largeId('evt', 400),
    largeId('dlv', 400),
  ];
  const wallet = `Subscriber${subscriptionId.slice(-10)}`;
  const wallets = Array.from(
    { length: 200 },
    (_, i) => `Subscriber${largeId('sub', 2 * i + 400).slice(-10)}`,
  );
  const endpointId = largeId('whe', 1_000_000_000);
  const page = { limit: 20, startingAfter: null };
  const laterPages = { limit: 20, startingAfter: subscriptionId };
  const since = new Date(NOW.getTime() - DAY);
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  const endpoint = anEndpoint({ projectId: project.id });
  const key = anApiKey({ projectId });
  const managementKey = aManagementKey();
  const entry = anAuditEntry({ projectId });
  const of = { projectId: project.id, planId: plan.id };
  const subscription = aSubscription({ ...of, lastSequence: 1 });
  const event = anEvent({ projectId: project.id, subscriptionId: subscription.id });
  const held = anEvent({
    ...{ projectId: project.id, subscriptionId: subscription.id, sequence: 2 },
    heldState: { status: 'active' },
  });
  const delivery = aDelivery({ projectId: project.id, eventId: event.id, endpointId: endpoint.id });
  const attempt = anAttempt({ subscriptionId: subscription.id });
  const mail = aMail({ projectId: project.id, subscriptionId: subscription.id });
  const link = aLink(of);
  const session = aSession({ projectId: project.id, linkId: link.id });
  // The rows of `fillLarge` have these, and a session is inserted here.
  const sessionIds = [largeId('chk', 400), session.id];
  const customers: readonly Customer[] = [
    { by: 'wallet', value: wallet },
    { by: 'external_id', value: 'customer 1000000001' },
    { by: 'email', value: '1000000001@example.com' },
  ];
  const none: SubscriptionFilter = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null },
    ...{ planId: null, status: null, late: null, blocked: null, failing: null, ending: null },
  };
  const searches: readonly Partial<SubscriptionFilter>[] = [
    {},
    { id: subscriptionId },
    { address: 'Account1000000001' },
    { wallet, status: 'active', planId },
    { externalId: 'customer 1000000001' },
    { email: '1000000001@example.com' },
    { planId },
    { planId, status: 'active', late: false },
    { status: 'ended' },
    { status: 'unpaid', late: true },
    { blocked: true },
    { late: false, blocked: false },
    { failing: true },
    { ending: true },
    { ending: true, failing: true, planId },
    { ending: false, failing: false },
  ];
  const anyPayment: PaymentFilter = {
    ...{ id: null, address: null, wallet: null, externalId: null, email: null, planId: null },
    ...{ since: null, until: null, mint: null, outcome: null, reason: null, signature: null },
  };
  const payments: readonly Partial<PaymentFilter>[] = [
    {},
    { since, until: NOW },
    { planId },
    { mint: 'Mint', outcome: 'paid' },
    { mint: 'Mint', outcome: 'rejected' },
    { outcome: 'rejected', planId },
    { reason: 'program_1' },
    { wallet, outcome: 'paid' },
    { externalId: 'customer 1000000001', since },
    { signature: `Signature${largeId('trf', 400).slice(-10)}` },
  ];
  const placeInTime = { at: since, id: subscriptionId };
  const allDeliveries = { endpointId: null, eventId: null, state: null };
  const beyond = [null, { at: new Date(0), id: '' }] as const;
  const later = { at: new Date(NOW.getTime() + 60_000), id: deliveryId };

  return {
    claimChainIdentity: [
      () => store.claimChainIdentity({ genesisHash: 'genesis', network: 'devnet', charger: 'charger' }),
    ],
    insertProject: [() => store.insertProject(project)],
    findProject: [() => store.findProject(projectId)],
    updateProject: [() => store.updateProject(project)],
    listProjects: [() => store.listProjects()],
    insertApiKey: [() => store.insertApiKey(key)],
    findApiKey: [() => store.findApiKey('hash 10')],
    listApiKeys: [() => store.listApiKeys(projectId)],
    touchApiKey: [() => store.touchApiKey(key.id, NOW)],
    revokeApiKey: [() => store.revokeApiKey(key.id, NOW)],
    expireApiKey: [() => store.expireApiKey(key.id, NOW)],
    insertPlan: [() => store.insertPlan(plan)],
    updatePlan: [() => store.updatePlan({ ...plan, version: 2 })],
    findPlan: [() => store.findPlan(planId)],
    findPlanBySlug: [() => store.findPlanBySlug(projectId, 'plan-1')],
    claimPlanChecks: [() => store.claimPlanChecks(new Date(NOW.getTime() + 5_000), 10, LEASE_MS)],
    schedulePlanChecks: [() => store.schedulePlanChecks([planId], NOW)],
    listPlans: [null, ['active', 'sunset'] as const].map(
      (statuses) => () => store.listPlans(projectId, statuses),
    ),

    insertEndpoint: [() => store.insertEndpoint(endpoint)],
    updateEndpoint: [() => store.updateEndpoint({ ...endpoint, version: 2 })],
    listEndpoints: [() => store.listEndpoints(projectId)],
    findEndpoint: [() => store.findEndpoint(projectId, endpointId)],
    listEndpointsAfter: [null, endpointId].map((after) => () => store.listEndpointsAfter(after, 10)),

    commit: [
      () =>
        store.commit([
          aCommit(subscription, {
            attempts: [attempt],
            transfers: [aTransfer({ subscriptionId: subscription.id })],
            events: [event, held],
            deliveries: [delivery],
            mails: [mail],
            signedTerms: {
              subscriptionId: subscription.id,
              ...{ message: 'I agree.', signature: aSignature(), envelope: null, signedAt: NOW },
            },
          }),
        ]),
      () => store.commit([aCommit({ ...subscription, version: 2 })]),
      () => store.commit([aCommit({ ...subscription, version: 3, status: 'cancelled' })]),
    ],
    findSubscription: [() => store.findSubscription(projectId, subscriptionId)],
    listByWalletAndPlan: [() => store.listByWalletAndPlan(planId, wallet)],
    findWalletSubscription: [() => store.findWalletSubscription(wallet, subscriptionId)],
    listByWallet: [page, laterPages].map((at) => () => store.listByWallet(wallet, at)),
    listByCustomer: customers.flatMap((customer) =>
      [null, planId].flatMap((of) =>
        [page, laterPages].map((at) => () => store.listByCustomer(projectId, customer, of, at)),
      ),
    ),
    listForAccess: customers.flatMap((customer) =>
      [null, 'plan-1'].map((slug) => () => store.listForAccess(projectId, customer, slug)),
    ),
    countPending: [...customers, { by: 'session', value: session.id } as const].map(
      (owner) => () => store.countPending(projectId, owner),
    ),
    listSeatsOver: [() => store.listSeatsOver(projectId, 30, NOW, 100)],
    listParked: [null, { pausedAt: since, confirmedAt: since, wallet, id: subscriptionId }].map(
      (after) => () => store.listParked(projectId, NOW, after, 200),
    ),
    findSeats: [
      ...[0, 31].map((most) => () => store.findSeats(projectId, wallets, NOW, most)),
      () => store.findSeats(projectId, [], NOW, 31),
    ],
    listLate: [null, { createdAt: since, id: subscriptionId }].map(
      (after) => () => store.listLate(projectId, after, 200),
    ),
    // Fewer than it may take, and far more.
    claimDue: [() => store.claimDue(since, 100, LEASE_MS), () => store.claimDue(NOW, 100, LEASE_MS)],
    listAccessEnds: [() => store.listAccessEnds(NOW, 100)],
    wakeSubscribers: [() => store.wakeSubscribers(planId, NOW, 100)],
    nextWakeAt: [() => store.nextWakeAt()],

    saveProjectLook: [() => store.saveProjectLook({ projectId, accent: '#0a7d5a', logo: null })],
    findProjectLook: [() => store.findProjectLook(projectId)],
    insertLink: [() => store.insertLink(link)],
    findLink: [() => store.findLink(largeId('lnk', 400))],
    listLinks: [() => store.listLinks(projectId)],
    endLink: [
      () => store.endLink(projectId, largeId('lnk', 400), NOW),
      () => store.endLink(project.id, link.id, NOW),
    ],
    insertSession: [() => store.insertSession(session)],
    findSession: [() => store.findSession(projectId, largeId('chk', 400))],
    findSessionBySecret: [() => store.findSessionBySecret('secret 400')],
    reserveForSession: sessionIds.map(
      (sessionId) => () =>
        store.reserveForSession({ sessionId, subscriptionId: subscription.id, reservedAt: NOW }),
    ),
    submitForSession: sessionIds.flatMap((sessionId) =>
      [subscription.id, aSubscription().id].map((id) => () => store.submitForSession(sessionId, id, NOW)),
    ),
    listSessionSubscriptions: sessionIds.map((id) => () => store.listSessionSubscriptions(id)),
    readPendingOfLinks: [() => store.readPendingOfLinks(projectId)],

    findOpenTransfer: [() => store.findOpenTransfer(subscriptionId)],
    findTransferBySignature: [
      () => store.findTransferBySignature(`Signature${subscriptionId.slice(-10)}`),
      () => store.findTransferBySignature(`Signature${subscriptionId.slice(-10)}`, 0),
    ],
    listTransfers: [() => store.listTransfers(subscriptionId, 20)],
    findSignedTerms: [() => store.findSignedTerms(subscriptionId)],
    listAttempts: [null, largeId('att', 400)].map(
      (startingAfter) => () => store.listAttempts(subscriptionId, { limit: 20, startingAfter }),
    ),
    listUnpricedAttempts: [null, { id: largeId('att', 5), attemptedAt: since }].map(
      (after) => () => store.listUnpricedAttempts(since, after, 100),
    ),
    priceAttempts: [() => store.priceAttempts(new Map([[largeId('att', 5), '10.00']]))],

    findEvent: [() => store.findEvent(projectId, eventId)],
    listEvents: [
      // As a request: the last 30 days, also after an event that is too old, and after one that few of these
      // days follow.
      ...[null, 'subscription.created' as const, 'subscription.ended' as const].flatMap((type) =>
        [null, subscriptionId].flatMap((of) =>
          [null, eventId, largeId('evt', WINDOW.firstRow + 20)].map(
            (startingAfter) => () =>
              store.listEvents(
                projectId,
                WINDOW.begin,
                { type, subscriptionId: of },
                { limit: 20, startingAfter },
              ),
          ),
        ),
      ),
      // As of a project in which nothing happened for 30 days.
      () => store.listEvents(projectId, NOW, { type: null, subscriptionId: null }, page),
      // As the doctor asks.
      () => store.listEvents(projectId, new Date(0), { type: null, subscriptionId }, page),
    ],
    saveBodiesIfAbsent: [() => store.saveBodiesIfAbsent([{ eventId: event.id, body: 'body' }])],
    listHeldEvents: [null, event].map((after) => () => store.listHeldEvents(10, after)),
    releaseEvents: [() => store.releaseEvents(subscription.id, new Map([[held.id, {}]]), NOW)],

    claimEndpoints: [() => store.claimEndpoints(NOW, { healthy: 5, failing: 5 }, LEASE_MS)],
    releaseEndpoint: [() => store.releaseEndpoint(endpointId, new Date(NOW.getTime() + LEASE_MS))],
    listDueDeliveries: [() => store.listDueDeliveries(endpointId, NOW, 20, NOW)],
    insertDeliveries: [
      () => store.insertDeliveries([aDelivery({ projectId, eventId: null, endpointId: endpoint.id })]),
    ],
    settleDeliveries: [
      () =>
        store.settleDeliveries([
          {
            delivery: { ...delivery, attempts: 1 },
            wasDueAt: delivery.nextAttemptAt,
            attempt: aDeliveryAttempt({ deliveryId: delivery.id }),
          },
        ]),
    ],
    failDeliveries: [() => store.failDeliveries(endpointId, NOW)],
    resendDeliveries: [
      () => store.resendDeliveries(endpointId, [eventId, event.id], ['failed', 'pending'], NOW),
    ],
    listTestDeliveries: [() => store.listTestDeliveries(endpointId, since)],
    hastenDeliveries: [
      () => store.hastenDeliveries(NOW, NOW, 500, null),
      () => store.hastenDeliveries(NOW, NOW, 500, later),
      // All that it looks at wait by a clock that was ahead.
      () => store.hastenDeliveries(new Date(0), NOW, 500, later),
    ],
    failUnfinishedTests: [() => store.failUnfinishedTests(since, 'never finished', NOW)],
    findDelivery: [() => store.findDelivery(projectId, deliveryId)],
    listProjectDeliveries: [
      allDeliveries,
      { ...allDeliveries, endpointId },
      { ...allDeliveries, eventId },
      { ...allDeliveries, state: 'failed' as const },
      { ...allDeliveries, state: 'delivered' as const },
      { ...allDeliveries, state: 'pending' as const, endpointId },
    ].flatMap((filter) =>
      [null, deliveryId].map(
        (startingAfter) => () => store.listProjectDeliveries(projectId, filter, { limit: 20, startingAfter }),
      ),
    ),
    listDeliveryAttempts: [() => store.listDeliveryAttempts(deliveryId)],
    listDeliveries: [() => store.listDeliveries(eventId)],
    nextDeliveryAt: [() => store.nextDeliveryAt()],

    insertManagementKey: [() => store.insertManagementKey(managementKey)],
    findManagementKey: [() => store.findManagementKey(managementKey.hash)],
    listManagementKeys: [() => store.listManagementKeys()],
    touchManagementKey: [() => store.touchManagementKey(managementKey.id, NOW)],
    revokeManagementKey: [() => store.revokeManagementKey(managementKey.id, NOW)],
    insertAuditEntry: [() => store.insertAuditEntry(entry)],
    completeAuditEntry: [
      () => store.completeAuditEntry(entry.id, null, { state: 'done', code: null, endedAt: NOW }),
    ],
    listAuditEntries: [null, projectId].flatMap((of) =>
      [null, subscriptionId].flatMap((subject) =>
        [null, largeId('aud', 40)].map(
          (startingAfter) => () =>
            store.listAuditEntries({ projectId: of, subject }, { limit: 20, startingAfter }),
        ),
      ),
    ),

    searchSubscriptions: searches.flatMap((filter) =>
      [page, laterPages].map(
        (at) => () => store.searchSubscriptions(projectId, { ...none, ...filter }, NOW, at),
      ),
    ),
    countSubscriptions: searches.map(
      (filter) => () => store.countSubscriptions(projectId, { ...none, ...filter }, NOW, 20),
    ),
    searchPayments: payments.flatMap((filter) =>
      [null, largeId('att', 400)].map(
        (startingAfter) => () =>
          store.searchPayments(projectId, { ...anyPayment, ...filter }, { limit: 20, startingAfter }),
      ),
    ),
    findPayment: [() => store.findPayment(projectId, largeId('att', 400))],
    insertRefund: [
      () =>
        store.insertRefund(aRefund({ attemptId: largeId('att', 400) }), {
          ...{ charged: 10_000_000n, received: 10_000_000n, wallet, mint: 'Mint' },
        }),
    ],
    saveSeller: [
      () =>
        store.saveSeller({ projectId, legalName: 'A shop', address: null, taxId: null, receiptPrefix: null }),
    ],
    findSeller: [() => store.findSeller(projectId)],
    listRefunds: [() => store.listRefunds([largeId('att', 400), largeId('att', 401)])],
    countBacklog: [() => store.countBacklog(NOW, 100)],
    countHeldEvents: [() => store.countHeldEvents(subscriptionId)],
    listSubscriptionDeliveries: [() => store.listSubscriptionDeliveries(subscriptionId, 20)],
    listByNextTry: [null, placeInTime].map((after) => () => store.listByNextTry(projectId, after, 20, NOW)),
    listByPlanEnd: [null, placeInTime].map((after) => () => store.listByPlanEnd(projectId, after, 20)),
    listProjectAttempts: [null, { id: largeId('att', 400), attemptedAt: since }].map(
      (after) => () => store.listProjectAttempts(projectId, since, NOW, after, 20),
    ),
    countRunning: [() => store.countRunning(projectId)],

    addFigures: [() => store.addFigures([someFigures(of)])],
    mergeFigures: [() => store.mergeFigures(100)],
    readFigures: [
      () => store.readFigures(projectId, since, NOW),
      () => store.readFigures(projectId, since, NOW, 'sums'),
    ],
    readFiguresBefore: [() => store.readFiguresBefore(projectId, since)],
    replaceFigures: [() => store.replaceFigures(project.id, MADE_AT, [someFigures(of)])],
    listMovements: [null, { id: largeId('mov', 400), at: since }].map(
      (after) => () => store.listMovements(projectId, since, NOW, after, 20),
    ),

    claimMails: [() => store.claimMails(NOW, 100, later.at)],
    settleMail: [() => store.settleMail({ ...mail, attempts: 1 }, later.at)],
    resendMail: [() => store.resendMail(projectId, largeId('eml', 506), NOW)],
    hastenMails: [() => store.hastenMails(NOW, NOW, NOW, 500)],
    findMail: [() => store.findMail(projectId, largeId('eml', 400))],
    listMails: ([null, 'pending', 'sent', 'failed'] as const).flatMap((state) =>
      [null, subscriptionId].flatMap((of) =>
        [null, largeId('eml', 400)].map(
          (startingAfter) => () =>
            store.listMails(projectId, { state, subscriptionId: of }, { limit: 20, startingAfter }),
        ),
      ),
    ),
    saveMailSettings: [
      () => store.saveMailSettings({ projectId, off: ['receipt'], replyTo: null, language: null }),
    ],
    findMailSettings: [() => store.findMailSettings(projectId)],
    refuseAddress: [
      () => store.refuseAddress({ projectId, address: 'a@example.com', reason: 'No.', refusedAt: NOW }),
    ],
    findRefusedAddress: [() => store.findRefusedAddress(projectId, 'a@example.com')],
    listRefusedAddresses: [() => store.listRefusedAddresses(projectId, 20)],
    acceptAddress: [() => store.acceptAddress(projectId, 'a@example.com')],
    deleteMails: beyond.map((after) => () => store.deleteMails(since, 100, after)),

    deleteEvents: beyond.map((after) => () => store.deleteEvents(since, 100, after)),
    deleteDeliveries: beyond.map((after) => () => store.deleteDeliveries(since, 100, after)),
    deleteExpiredCheckouts: beyond.map((after) => () => store.deleteExpiredCheckouts(NOW, 100, after)),
    deleteUnusedVisits: beyond.map((after) => () => store.deleteUnusedVisits(since, 100, after)),
    deleteSessions: beyond.map((after) => () => store.deleteSessions(since, 100, after)),
    deleteProject: [() => store.deleteProject(aProject().id), () => store.deleteProject(projectId)],
  };
}
