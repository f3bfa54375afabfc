import {
  aCommit,
  aDelivery,
  anEndpoint,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
} from '@subrail/core/testing';
import type { FullStore, FullStoreOperations } from '@subrail/core/ports';
import { emptyDatabase } from '@subrail/test-postgres';
import { expect, inject, test } from 'vitest';
import { openPostgresStore } from '../index.js';

const NOW = new Date('2027-01-01T00:00:00.000Z');
const LEASE_MS = 60_000;

/** Makes a claim in a transaction that goes on until the host dies. */
function holding<Claim>(store: FullStore, claim: (operations: FullStoreOperations) => Promise<Claim>) {
  let die: () => void = () => undefined;
  const begun = new Promise<Claim>((resolve, reject) => {
    store
      .transaction(async (operations) => {
        resolve(await claim(operations));
        await new Promise<void>((ended) => (die = ended));
        throw new Error('The host died.');
      })
      .catch(reject);
  });
  return { begun, die: () => die() };
}

test('a host that freezes while it claims endpoints keeps those from the others, and no more', async () => {
  const database = await emptyDatabase(inject('postgres'));
  const frozen = await openPostgresStore({ url: database.url });
  // A claim that waited for the frozen one would be refused.
  const other = await openPostgresStore({ url: database.url, timeouts: { lockMs: 200 } });
  const endpoints = await endpointsWithDueDeliveries(frozen.store, 7);
  const claim = async (store: Pick<typeof other.store, 'claimEndpoints'>, healthy: number) =>
    (await store.claimEndpoints(NOW, { healthy, failing: 0 }, LEASE_MS)).claimed.map(
      ({ endpoint }) => endpoint.id,
    );

  const { begun, die } = holding(frozen.store, (operations) => claim(operations, 2));
  expect(await begun).toEqual(endpoints.slice(0, 2));
  expect(await claim(other.store, 3)).toEqual(endpoints.slice(2, 5));
  die();
  await frozen.close();
  expect(await claim(other.store, 9)).toEqual([...endpoints.slice(0, 2), ...endpoints.slice(5)]);
  await other.close();
  await database.drop();
});

test('a host that freezes while it claims plans to read them again keeps nobody from subscribing', async () => {
  const database = await emptyDatabase(inject('postgres'));
  const frozen = await openPostgresStore({ url: database.url });
  const other = await openPostgresStore({ url: database.url, timeouts: { lockMs: 200 } });
  const project = aProject();
  const plan = aPlan({ projectId: project.id, nextCheckAt: NOW });
  await other.store.insertProject(project);
  await other.store.insertPlan(plan);

  const { begun, die } = holding(frozen.store, (operations) => operations.claimPlanChecks(NOW, 9, LEASE_MS));
  expect((await begun).claimed).toHaveLength(1);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  expect(await other.store.commit([aCommit(subscription)])).toBe('committed');
  die();
  await frozen.close();
  await other.close();
  await database.drop();
});

/** Stores endpoints, each with a delivery that is due, the soonest first. */
async function endpointsWithDueDeliveries(
  store: Awaited<ReturnType<typeof openPostgresStore>>['store'],
  count: number,
): Promise<readonly string[]> {
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  const ids: string[] = [];
  for (let place = 0; place < count; place++) {
    const endpoint = anEndpoint({ projectId: project.id });
    await store.insertEndpoint(endpoint);
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    const event = anEvent({ projectId: project.id, subscriptionId: subscription.id });
    const delivery = aDelivery({
      ...{ projectId: project.id, eventId: event.id, endpointId: endpoint.id },
      nextAttemptAt: new Date(NOW.getTime() - 1_000 + place),
    });
    await store.commit([aCommit(subscription, { events: [event], deliveries: [delivery] })]);
    ids.push(endpoint.id);
  }
  return ids;
}
