import { describe, expect, test } from 'vitest';
import type { Store } from '../ports/store.js';
import { storeConformance, type StoreUnderTest } from './store-conformance.js';

/** Runs the kit with a store, and returns the tests it registered by name and how often the store was closed. */
function registered(store: Partial<Store> = {}) {
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
    'finds the terms that were signed last, and keeps earlier ones',
    // lists#keyset-pagination
    'neither repeats nor skips events while others are written',
    // checkout#pending-caps
    'counts pending checkouts of the project and of the customer',
    // checkout#cap-counts-own-checkouts
    'counts for a customer only the checkouts opened in its own name',
    // seats-and-tiers#what-a-seat-is
    'counts a seat per wallet that is running or cancelled and not yet expired, and not parked',
  ])('has a test that a store %s', (name) => {
    expect([...registered().tests.keys()]).toContain(name);
  });

  test('says what it expected and what it found, and closes the store', async () => {
    const { tests, closed } = registered({ insertProject: async () => {}, findProject: async () => null });
    await expect(tests.get('reads a project as it was written')?.()).rejects.toThrow(
      /^Expected a project with every field to be \{"id":"proj_.*\}; found null\.$/,
    );
    expect(closed.count).toBe(1);
  });
});
