import { aCommit, aDelivery, aMail, anEndpoint, anEvent, aSubscription } from '@subrail/core/testing';
import type { FullStore, FullStoreOperations } from '@subrail/core/ports';
import { expect, test } from 'vitest';
import { storedPlan } from '../../tests/stored-plan.js';
import { useDatabase } from './use-database.js';

const NOW = new Date('2027-01-01T00:00:00.000Z');
const LEASE_MS = 60_000;

const { open } = useDatabase();

/** Makes a claim in a transaction that goes on until the host dies. */
function holding<Claim>(store: FullStore, claim: (operations: FullStoreOperations) => Promise<Claim>) {
  let die: () => void = () => undefined;
  let ended: Promise<void> = Promise.resolve();
  const begun = new Promise<Claim>((resolve, reject) => {
    ended = store
      .transaction(async (operations) => {
        resolve(await claim(operations));
        await new Promise<void>((dies) => (die = dies));
        throw new Error('The host died.');
      })
      .catch(reject);
  });
  return {
    begun,
    /** Lets the host die, and the server end its transaction. */
    die: () => {
      die();
      return ended;
    },
  };
}

test('a host that freezes while it claims endpoints keeps those from the others, and no more', async () => {
  const frozen = await open();
  // A claim that waited for the frozen one would be refused.
  const other = await open({ timeouts: { lockMs: 200 } });
  const endpoints = await endpointsWithDueDeliveries(frozen, 7);
  const claim = async (store: Pick<FullStore, 'claimEndpoints'>, healthy: number) =>
    (await store.claimEndpoints(NOW, { healthy, failing: 0 }, LEASE_MS)).claimed.map(
      ({ endpoint }) => endpoint.id,
    );

  const { begun, die } = holding(frozen, (operations) => claim(operations, 2));
  expect(await begun).toEqual(endpoints.slice(0, 2));
  expect(await claim(other, 3)).toEqual(endpoints.slice(2, 5));
  await die();
  expect(await claim(other, 9)).toEqual([...endpoints.slice(0, 2), ...endpoints.slice(5)]);
});

test('a host that freezes while it claims plans to read them again keeps nobody from subscribing', async () => {
  const frozen = await open();
  const other = await open({ timeouts: { lockMs: 200 } });
  const { project, plan } = await storedPlan(other, { nextCheckAt: NOW });

  const { begun, die } = holding(frozen, (operations) => operations.claimPlanChecks(NOW, 9, LEASE_MS));
  expect((await begun).claimed).toHaveLength(1);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  expect(await other.commit([aCommit(subscription)])).toBe('committed');
  await die();
});

test('a host that freezes while it claims mails keeps those from the others, and no more', async () => {
  const frozen = await open();
  const other = await open({ timeouts: { lockMs: 200 } });
  const { project, plan } = await storedPlan(other);
  const subscription = aSubscription({ projectId: project.id, planId: plan.id });
  const mails = Array.from({ length: 7 }, (_, place) =>
    aMail({
      ...{ projectId: project.id, subscriptionId: subscription.id },
      nextAttemptAt: new Date(NOW.getTime() - 1_000 + place),
    }),
  );
  await other.commit([aCommit(subscription, { mails })]);
  const ids = mails.map(({ id }) => id);
  const until = new Date(NOW.getTime() + LEASE_MS);
  const claim = async (store: Pick<FullStore, 'claimMails'>, limit: number) =>
    (await store.claimMails(NOW, limit, until)).mails.map(({ id }) => id);

  const { begun, die } = holding(frozen, (operations) => claim(operations, 2));
  expect(await begun).toEqual(ids.slice(0, 2));
  expect(await claim(other, 3)).toEqual(ids.slice(2, 5));
  await die();
  expect(await claim(other, 9)).toEqual([...ids.slice(0, 2), ...ids.slice(5)]);
});

/** Stores endpoints, each with a delivery that is due, the soonest first. */
async function endpointsWithDueDeliveries(store: FullStore, count: number): Promise<readonly string[]> {
  const { project, plan } = await storedPlan(store);
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
