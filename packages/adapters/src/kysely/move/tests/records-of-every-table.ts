import type { ProjectId, FullStore, Subscription } from '@subrail/core/ports';
import {
  aCheckout,
  aCommit,
  aDelivery,
  aDeliveryAttempt,
  aManagementKey,
  anAuditEntry,
  anApiKey,
  anAttempt,
  anEndpoint,
  anEvent,
  anId,
  aLink,
  aMail,
  aMovement,
  aRefund,
  aPlan,
  aProject,
  aSession,
  aSignature,
  aSubscription,
  aTransfer,
  someFigures,
  MADE_AT,
} from '@subrail/core/testing';

/** What a store was filled with. */
export interface Filled {
  readonly projectId: ProjectId;
  /** The newest of its subscriptions, which has three events and an open transfer. */
  readonly subscription: Subscription;
}

const LARGEST = 2n ** 64n - 1n;

/**
 * Fills each table with rows that a move could get wrong: the largest amounts, text of every sort, nulls, and
 * a comeback whose previous subscription has a later id.
 */
export async function fillEveryTable(store: FullStore, moreSubscriptions = 0): Promise<Filled> {
  await store.claimChainIdentity({ genesisHash: 'genesis', network: 'devnet', charger: 'charger' });
  const project = aProject({ name: 'Café "☂" \\ \u0001 ’;--' });
  const projectId = project.id;
  await store.insertProject(project);
  await store.insertProject(aProject({ subscriberLimit: 5 }));
  await store.insertApiKey(anApiKey({ projectId, lastUsedAt: MADE_AT }));
  const plan = aPlan({ projectId, amount: LARGEST, number: LARGEST });
  await store.insertPlan(plan);
  await store.insertManagementKey(aManagementKey());
  await store.insertAuditEntry(anAuditEntry({ projectId, input: { name: '𝔘nicode' } }));
  const endpoint = anEndpoint({ projectId });
  await store.insertEndpoint(endpoint);

  const of = { projectId, planId: plan.id };
  const [comeback, previous] = [
    aSubscription(of),
    aSubscription({ ...of, status: 'ended', lastSequence: 0 }),
  ];
  await store.commit([aCommit(previous)]);
  await store.commit([aCommit({ ...comeback, previousId: previous.id })]);
  await store.commit([aCommit({ ...previous, version: 2, replacedById: comeback.id })]);
  await store.commit([aCommit(aCheckout({ ...of, externalId: 'Zoë', email: 'zoe@example.com' }))]);
  await store.commit([aCommit(aCheckout({ ...of, reservedFor: anId('chk') }))]);

  const subscription = aSubscription({ ...of, lastSequence: 3, paidAmount: LARGEST * 3n });
  const events = [1, 2, 3].map((sequence) =>
    anEvent({ projectId, subscriptionId: subscription.id, sequence, data: { text: '\u0000 in JSON' } }),
  );
  const deliveries = events.map(({ id }) => aDelivery({ projectId, eventId: id, endpointId: endpoint.id }));
  const attempt = anAttempt({ subscriptionId: subscription.id, amount: LARGEST, fee: LARGEST });
  await store.commit([
    aCommit(subscription, {
      events,
      deliveries,
      attempts: [attempt],
      transfers: [
        aTransfer({ subscriptionId: subscription.id, state: 'landed', amount: LARGEST }),
        aTransfer({ subscriptionId: subscription.id, periodStart: null }),
      ],
      mails: [
        aMail({
          ...{ projectId, subscriptionId: subscription.id, eventId: null, lastError: 'Zoë "☂" \\ ’;--' },
          facts: { ...aMail().facts, amount: LARGEST, reason: '\u0000 in JSON', periodEnd: MADE_AT },
        }),
      ],
      movements: [
        aMovement({
          ...of,
          subscriptionId: subscription.id,
          kind: 'ended',
          reason: 'cancelled',
          recurring: 0,
        }),
      ],
      signedTerms: {
        subscriptionId: subscription.id,
        message: 'I agree.\n',
        signature: aSignature(),
        envelope: 'SSBhZ3JlZS4K',
        signedAt: MADE_AT,
      },
    }),
  ]);
  const refunded = { charged: LARGEST, received: LARGEST, wallet: subscription.wallet, mint: plan.mint };
  await store.insertRefund(aRefund({ projectId, attemptId: attempt.id }), refunded);
  const seller = {
    legalName: 'Zoë GmbH',
    address: 'Gasse 1\n1010 Wien',
    taxId: 'ATU1',
    receiptPrefix: 'NIGHT',
  };
  await store.saveSeller({ projectId, ...seller });
  const price = { at: MADE_AT, attemptId: anId('att'), amount: LARGEST, amountUsd: '1.00' };
  await store.addFigures([someFigures({ ...of, price, sums: { 'paid.amount': LARGEST * 9n } })]);
  await store.mergeFigures(9);
  await store.addFigures([someFigures(of)]);
  const link = aLink({ ...of, askEmail: true, endedAt: MADE_AT });
  await store.insertLink(link);
  await store.saveProjectLook({ projectId, accent: '#0a7d5a', logo: 'data:image/png;base64,iVBORw0KGgo=' });
  await store.saveMailSettings({ projectId, off: ['ended'], replyTo: 'zoë@example.com', language: null });
  await store.refuseAddress({ projectId, address: 'zoë@example.com', reason: '☂', refusedAt: MADE_AT });
  const checkout = aSession({ projectId, planIds: [plan.id], linkId: link.id, backUrl: 'https://a.example' });
  const portal = aSession({ id: anId('prt'), kind: 'portal', projectId, externalId: 'Zoë "☂" \\ ’;--' });
  for (const session of [checkout, portal]) await store.insertSession(session);
  for (const { id: sessionId } of [checkout, portal])
    await store.reserveForSession({ sessionId, subscriptionId: subscription.id, reservedAt: MADE_AT });
  await store.submitForSession(portal.id, subscription.id, MADE_AT);
  await store.claimEndpoints(MADE_AT, { healthy: 9, failing: 9 }, 60_000);
  const [first] = deliveries;
  if (first !== undefined)
    await store.settleDeliveries([
      {
        delivery: { ...first, attempts: 1, lastExcerpt: 'down' },
        wasDueAt: first.nextAttemptAt,
        attempt: aDeliveryAttempt({ deliveryId: first.id }),
      },
    ]);
  if (moreSubscriptions > 0)
    await store.commit(Array.from({ length: moreSubscriptions }, () => aCommit(aSubscription(of))));
  return { projectId, subscription };
}
