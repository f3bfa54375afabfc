import type { FullStore } from '@subrail/core/ports';
import { aCommit, aDelivery, anEndpoint, anEvent, aSubscription, MADE_AT } from '@subrail/core/testing';
import { beforeEach, expect, test } from 'vitest';
import { untilOneWaits } from './until-one-waits.js';
import { useDatabase } from './use-database.js';
import { storedPlan } from '../../tests/stored-plan.js';

const LATER = new Date(MADE_AT.getTime() + 86_400_000);

const { open, operator } = useDatabase();
let store: FullStore;
let other: Awaited<ReturnType<typeof operator>>;
beforeEach(async () => {
  store = await open();
  other = await operator();
});

/** Stores an expired checkout, and an event of another one with two deliveries that failed long ago. */
async function oldRecords() {
  const { project, plan } = await storedPlan(store);
  const checkout = aSubscription({
    projectId: project.id,
    planId: plan.id,
    status: 'expired',
    lastEventAt: MADE_AT,
  });
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const event = anEvent({ projectId: project.id, subscriptionId: subscription.id });
  const deliveries = [];
  for (let count = 0; count < 2; count++) {
    const endpoint = anEndpoint({ projectId: project.id });
    await store.insertEndpoint(endpoint);
    deliveries.push(
      aDelivery({
        ...{ projectId: project.id, eventId: event.id, endpointId: endpoint.id },
        ...{ state: 'failed', nextAttemptAt: null, settledAt: MADE_AT },
      }),
    );
  }
  await store.commit([aCommit(checkout), aCommit(subscription, { events: [event], deliveries })]);
  return { project, checkout, event, deliveries };
}

/** Makes a batch while another connection has changed or inserted a row and not committed it yet. */
async function batchDuring(
  change: string,
  values: readonly (string | undefined)[],
  batch: () => Promise<unknown>,
) {
  await other.query('begin');
  await other.query(change, [...values]);
  const making = batch();
  await untilOneWaits(other);
  await other.query('commit');
  return making;
}

const RESEND =
  "update deliveries set state = 'pending', settled_at = null, next_attempt_at = 0 where id = $1";

test('an event whose delivery is sent again while it is deleted stays, with all its deliveries', async () => {
  const { event, deliveries } = await oldRecords();
  const deletion = await batchDuring(RESEND, [deliveries[1]?.id], () => store.deleteEvents(LATER, 10, null));
  expect(deletion).toEqual({ changed: 0, next: null });
  expect(await store.listDeliveries(event.id)).toHaveLength(2);
});

test('an event that is sent to one more endpoint while it is deleted stays, with all its deliveries', async () => {
  const { project, event, deliveries } = await oldRecords();
  const endpoint = anEndpoint({ projectId: project.id });
  await store.insertEndpoint(endpoint);
  const another = `insert into deliveries (id, endpoint_id, event_id, project_id, type, state, attempts, attempts_before, next_attempt_at, created_at)
    select 'del_another', $2, event_id, project_id, type, 'pending', 0, 0, 0, created_at from deliveries where id = $1`;
  const deletion = await batchDuring(another, [deliveries[1]?.id, endpoint.id], () =>
    store.deleteEvents(LATER, 10, null),
  );
  expect(deletion).toEqual({ changed: 0, next: null });
  expect(await store.listDeliveries(event.id)).toHaveLength(3);
});

test('a delivery that is sent again while it is deleted stays', async () => {
  const { event, deliveries } = await oldRecords();
  const deletion = await batchDuring(RESEND, [deliveries[1]?.id], () =>
    store.deleteDeliveries(LATER, 10, null),
  );
  expect(deletion).toEqual({ changed: 1, next: null });
  expect(await store.listDeliveries(event.id)).toMatchObject([{ id: deliveries[1]?.id, state: 'pending' }]);
});

const FAR = new Date(LATER.getTime() + 1);
const RETRY = new Date(LATER.getTime() + 2);

test.each([
  [
    'delivered',
    "update deliveries set state = 'delivered', next_attempt_at = null, settled_at = 0 where id = $1",
    { state: 'delivered', nextAttemptAt: null },
  ],
  [
    'tried, so that it waits for a retry,',
    `with tried as (
      insert into delivery_attempts (delivery_id, number, started_at, duration_ms, excerpt)
      select id, attempts + 1, ${MADE_AT.getTime()}, 0, '' from deliveries where id = $1
    ) update deliveries set attempts = attempts + 1, next_attempt_at = ${RETRY.getTime()} where id = $1`,
    { state: 'pending', nextAttemptAt: RETRY },
  ],
  [
    'sent again',
    `update deliveries set next_attempt_at = ${LATER.getTime()} where id = $1`,
    { state: 'pending', nextAttemptAt: LATER },
  ],
])('a delivery that is %s while it is hastened stays so', async (_, change, expected) => {
  const { project, event, deliveries } = await oldRecords();
  const [changed, waiting] = deliveries;
  for (const { endpointId } of deliveries)
    await store.resendDeliveries(endpointId, [event.id], ['failed'], FAR);
  const hastening = await batchDuring(change, [changed?.id], () =>
    store.hastenDeliveries(LATER, MADE_AT, 10, null),
  );
  expect(hastening).toEqual({ changed: 1, next: null });
  const stored = async (id: string | undefined) => store.findDelivery(project.id, id as never);
  expect(await stored(changed?.id)).toMatchObject(expected);
  expect(await stored(waiting?.id)).toMatchObject({ state: 'pending', nextAttemptAt: MADE_AT });
});

test('an expired checkout that was paid after all while it is deleted stays', async () => {
  const { project, checkout } = await oldRecords();
  const deletion = await batchDuring(
    "update subscriptions set status = 'active', version = version + 1 where id = $1",
    [checkout.id],
    () => store.deleteExpiredCheckouts(LATER, 10, null),
  );
  expect(deletion).toEqual({ changed: 0, next: null });
  expect((await store.findSubscription(project.id, checkout.id))?.status).toBe('active');
});
