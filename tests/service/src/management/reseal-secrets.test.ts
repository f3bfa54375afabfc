import { createCrypto } from '@subrail/adapters/node';
import { createBilling, type Billing } from '@subrail/core';
import type { Chain, Endpoint, FullStore } from '@subrail/core/ports';
import { anEndpoint, aProject, ManualClock, partialPort } from '@subrail/core/testing';
import { createBillingWithDefaults, openTestStore } from '@subrail/test-world';
import { expect, onTestFinished, test } from 'vitest';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const OLD = createCrypto(new Uint8Array(32).fill(7));
const NEW = createCrypto(new Uint8Array(32).fill(8));
const BOTH = createCrypto(new Uint8Array(32).fill(8), { older: [new Uint8Array(32).fill(7)] });
const LOST = createCrypto(new Uint8Array(32).fill(9));

interface World {
  readonly store: FullStore;
  /** A host with the new key and the old one as older, on the store or on one that `faulty` makes of it. */
  readonly host: (faulty?: (store: FullStore) => Partial<FullStore>) => Billing;
  /** Stores an endpoint with secrets that these keys sealed, newest first; the older end at `expiresAt`. */
  readonly endpoint: (keys: readonly (typeof OLD)[], expiresAt?: Date) => Promise<Endpoint>;
  /** Whether the new key alone opens each secret of an endpoint. */
  readonly opensWithNew: (endpoint: Endpoint) => Promise<readonly boolean[]>;
}

async function open(): Promise<World> {
  const { store, close } = await openTestStore();
  onTestFinished(close);
  const project = aProject();
  await store.insertProject(project);
  const { ports } = createBillingWithDefaults({
    store,
    chain: partialPort<Chain>({ network: 'devnet' }),
    clock: new ManualClock(NOW),
    crypto: BOTH,
  });
  return {
    store,
    host: (faulty = () => ({})) => createBilling({ ...ports, store: { ...store, ...faulty(store) } }),
    async endpoint(keys, expiresAt = new Date(NOW.getTime() + 1)) {
      const secrets = await Promise.all(
        keys.map(async (key, place) => ({
          sealed: await key.seal(new TextEncoder().encode(`whsec_c2VjcmV${place}`)),
          createdAt: new Date(NOW.getTime() - place),
          expiresAt: place === 0 ? null : expiresAt,
        })),
      );
      const stored = anEndpoint({ projectId: project.id, secrets });
      await store.insertEndpoint(stored);
      return stored;
    },
    async opensWithNew({ id }) {
      const stored = await store.findEndpoint(project.id, id);
      return Promise.all(
        (stored?.secrets ?? []).map(({ sealed }) =>
          NEW.open(sealed).then(
            () => true,
            () => false,
          ),
        ),
      );
    },
  };
}

// deliveries#sealing-key-rotation, management#secret-functions
test('seals the secrets of every project with the newest key, and changes nothing else', async () => {
  const { store, host, endpoint, opensWithNew } = await open();
  const rotating = await endpoint([NEW, OLD]);
  const untouched = await endpoint([NEW]);
  const many = await Promise.all(Array.from({ length: 250 }, () => endpoint([OLD])));
  expect(await host().secrets.reseal()).toEqual({
    resealed: 251,
    unchanged: 1,
    not_opened: [],
    unreadable: [],
  });
  for (const one of many) expect(await opensWithNew(one)).toEqual([true]);
  expect(await opensWithNew(rotating)).toEqual([true, true]);
  const after = await store.findEndpoint(rotating.projectId, rotating.id);
  const [newest, older] = rotating.secrets;
  expect(after).toEqual({
    ...rotating,
    version: 2,
    secrets: [newest, { ...older, sealed: after?.secrets[1]?.sealed }],
  });
  expect(await store.findEndpoint(untouched.projectId, untouched.id)).toEqual(untouched);
});

// deliveries#sealing-key-rotation
test('names the endpoints with a live secret that opens with none of the keys, and seals what opens', async () => {
  const { host, endpoint, opensWithNew } = await open();
  const lost = await endpoint([LOST]);
  const half = await endpoint([OLD, LOST]);
  await endpoint([NEW, LOST], NOW);
  const { not_opened, ...counts } = await host().secrets.reseal();
  expect(counts).toEqual({ resealed: 0, unchanged: 1, unreadable: [] });
  expect(new Set(not_opened)).toEqual(
    new Set([lost, half].map(({ id, projectId }) => ({ project: projectId, endpoint: id }))),
  );
  expect(await opensWithNew(half)).toEqual([true, false]);
});

// deliveries#sealing-key-rotation, invariants#damaged-row-set-aside
test('names the endpoints that cannot be read, and seals those after them', async () => {
  const { host, endpoint, opensWithNew } = await open();
  const sealed = await Promise.all(Array.from({ length: 3 }, () => endpoint([OLD])));
  const damaged = anEndpoint();
  const { secrets } = host((store) => ({
    async listEndpointsAfter(after, limit) {
      if (after === damaged.id) return store.listEndpointsAfter(null, limit);
      const unreadable = [{ id: damaged.id, error: new Error('damaged') }];
      return { endpoints: [], unreadable, next: damaged.id };
    },
  }));
  expect(await secrets.reseal()).toEqual({
    resealed: 3,
    unchanged: 0,
    not_opened: [],
    unreadable: [damaged.id],
  });
  for (const one of sealed) expect(await opensWithNew(one)).toEqual([true]);
});

// deliveries#sealing-key-rotation
test('goes on where it was interrupted when it is repeated', async () => {
  const { host, endpoint } = await open();
  for (let n = 0; n < 5; n += 1) await endpoint([OLD]);
  let updates = 0;
  const failing = host((store) => ({
    updateEndpoint: (changed) =>
      (updates += 1) === 3 ? Promise.reject(new Error('The disk is full.')) : store.updateEndpoint(changed),
  }));
  await expect(failing.secrets.reseal()).rejects.toThrow('The disk is full.');
  expect(await failing.secrets.reseal()).toEqual({
    resealed: 3,
    unchanged: 2,
    not_opened: [],
    unreadable: [],
  });
});

// deliveries#sealing-key-rotation
test('on several hosts at once seals each secret, and each counts what it sealed', async () => {
  const { host, endpoint, opensWithNew } = await open();
  const endpoints = await Promise.all(Array.from({ length: 20 }, () => endpoint([OLD])));
  const results = await Promise.all([host(), host(), host()].map(({ secrets }) => secrets.reseal()));
  expect(results.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(20);
  expect(results.map(({ resealed, unchanged }) => resealed + unchanged)).toEqual([20, 20, 20]);
  for (const one of endpoints) expect(await opensWithNew(one)).toEqual([true]);
});

// deliveries#sealing-key-rotation
test.each([
  ['rotated', 0, { resealed: 0, unchanged: 1, not_opened: [], unreadable: [] }],
  ['rotated with an overlap', 24, { resealed: 1, unchanged: 0, not_opened: [], unreadable: [] }],
  ['deleted', null, { resealed: 0, unchanged: 0, not_opened: [], unreadable: [] }],
])('leaves a secret as it is when it was %s meanwhile', async (_, overlap, expected) => {
  const { store, host, endpoint, opensWithNew } = await open();
  const { id, projectId } = await endpoint([OLD]);
  const { endpoints } = host().project(projectId);
  let after: Endpoint | null = null;
  const interrupted = host(() => ({
    async updateEndpoint(changed) {
      if (after === null) {
        if (overlap === null) await endpoints.delete(id);
        else await endpoints.rotateSecret(id, { overlap_hours: overlap });
        after = await store.findEndpoint(projectId, id);
      }
      return store.updateEndpoint(changed);
    },
  }));
  expect(await interrupted.secrets.reseal()).toEqual(expected);
  const stored = await store.findEndpoint(projectId, id);
  expect(stored?.secrets[0]).toEqual((after as Endpoint | null)?.secrets[0]);
  if (stored !== null) expect(await opensWithNew(stored)).not.toContain(false);
});
