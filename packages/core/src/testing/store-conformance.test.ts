import { describe, expect, test } from 'vitest';
import type { Store } from '../ports/store.js';
import type { Project } from '../records/index.js';
import { storeConformance, type StoreConformanceOptions, type StoreUnderTest } from './store-conformance.js';

/** Runs the kit with a store. Returns its tests by name, and how often the store was closed. */
function registered(store: Partial<Store> = {}, options: StoreConformanceOptions = {}) {
  const tests = new Map<string, () => Promise<void>>();
  const closed = { count: 0 };
  const underTest = {
    store,
    peer: store,
    close: async () => {
      closed.count += 1;
    },
  } as unknown as StoreUnderTest;
  storeConformance(
    (name, body) => tests.set(name, body),
    async () => underTest,
    options,
  );
  return { tests, closed };
}

describe('the conformance kit of the Store port', () => {
  test.each([
    // invariants#one-payment-per-period
    'never stores two landed transfers of a period',
    'never stores two paid attempts of a period',
    // invariants#one-running-subscription-per-plan
    'never stores two running subscriptions of a wallet to a plan',
    // checkout#repeated-create-is-idempotent
    'never stores two checkouts of one external id with different emails',
    'never stores two checkouts of one session and wallet with different emails',
    // invariants#sequence-is-complete
    'never stores two events of a subscription with one sequence',
    // deliveries#one-delivery-per-endpoint
    'never stores two deliveries of an event to an endpoint',
    // events#snapshot-stored-with-its-change
    'inserts a first version with all its rows',
    'stores nothing when a delivery, the last row written, conflicts',
    // deliveries#same-bytes-for-every-attempt
    // invariants#deliveries-repeat-the-same-bytes
    'writes a body once, and returns the stored one to every racing writer',
    // deliveries#endpoints-per-project
    'inserts exactly one of many racing endpoints with one URL',
    // plans#fields-of-a-plan
    'keeps plan names and slugs unique within a project',
    // terms#signed-terms-are-kept
    'keeps the terms of every commit, and each signature of terms once',
    // lists#keyset-pagination
    'neither repeats nor skips events while others are written',
    // checkout#pending-caps
    'counts pending checkouts of the project and of the customer',
    // checkout#cap-counts-own-checkouts
    'counts for a customer only the checkouts opened in its own name',
    // seats-and-tiers#what-a-seat-is
    'counts a seat per wallet that runs, or is cancelled and not yet expired',
  ])('has a test that a store %s', (name) => {
    expect([...registered().tests.keys()]).toContain(name);
  });

  test('says what it expected and what it found, and closes the store', async () => {
    const { tests, closed } = registered({ insertProject: async () => {}, findProject: async () => null });
    await expect(tests.get('reads a project as it was written')?.()).rejects.toThrow(
      /^The store does not keep its promise: reads a project as it was written\. Expected a project with every field to be \{"id":"proj_.*\}; found null\.$/,
    );
    expect(closed.count).toBe(1);
  });

  test('says at which field a record differs', async () => {
    const stored = new Map<string, Project>();
    const { tests } = registered({
      insertProject: async (project) => {
        stored.set(project.id, { ...project, cancelUrl: null });
      },
      findProject: async (id) => stored.get(id) ?? null,
    });
    await expect(tests.get('reads a project as it was written')?.()).rejects.toThrow(
      'which differs at cancelUrl: "https://example.com/cancel" was expected, null was found; found {',
    );
  });

  test('keeps the error that the store threw as the cause', async () => {
    const fault = new Error('The disk is full.');
    const { tests } = registered({ insertProject: () => Promise.reject(fault) });
    const failure = await tests
      .get('reads a project as it was written')?.()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: 'The store does not keep its promise: reads a project as it was written. The disk is full.',
      cause: fault,
    });
  });

  test('asks for `reopen`, unless the store is volatile', async () => {
    const durable = [...registered().tests.keys()].filter((name) => name.includes('opened again'));
    expect(durable.length).toBeGreaterThan(15);
    const volatile = registered({}, { volatile: true }).tests;
    expect(durable.filter((name) => volatile.has(name))).toEqual([]);
    expect(registered().tests.size - volatile.size).toBe(durable.length);
  });
});
