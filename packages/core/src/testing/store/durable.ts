import type { Store } from '../../ports/store.js';
import type { Delivery, Subscription, SubscriptionEvent } from '../../records/index.js';
import { expectThat, expectEqual } from '../expect.js';
import { aCommit } from '../records.js';
import { at, eventOf, type Fixture, mustCommit, storeFixture, deliveryOf } from './fixture.js';
import type { StoreTests, StoreUnderTest } from './store-under-test.js';

export const LEASE_MS = 60_000;

/** A stored subscription with a delivery, both due. */
export interface DueRecords extends Fixture {
  readonly subscription: Subscription;
  readonly event: SubscriptionEvent;
  readonly delivery: Delivery;
}

const LATER = at(9_999_999);

export const dueOf = async (store: Store, { endpoint }: DueRecords) =>
  (await store.listDueDeliveries(endpoint.id, LATER, 9, LATER)).due;

/** Calls one method that writes, and returns a function that reads the result. */
type Write<Tested extends Store> = (
  store: Tested,
  stored: DueRecords,
) => Promise<(store: Tested) => Promise<unknown>>;

/** Methods that write. Each is tested alone: the next write may save what a store forgot to save. */
export type Writes<Tested extends Store> = Readonly<Record<string, Write<Tested>>>;

export async function storeDueRecords(store: Store): Promise<DueRecords> {
  const fixture = await storeFixture(store);
  const subscription = fixture.aSubscription({ lastSequence: 1, wakeAt: at(1) });
  const event = eventOf(subscription, 1);
  const delivery = deliveryOf(event, fixture.endpoint, { nextAttemptAt: at(1) });
  await mustCommit(store, aCommit(subscription, { events: [event], deliveries: [delivery] }));
  return { ...fixture, subscription, event, delivery };
}

/** Closes the store and opens its data again. */
export async function reopened<Tested extends Store>(underTest: StoreUnderTest<Tested>): Promise<Tested> {
  const opened = await underTest.reopen?.();
  expectThat(
    opened !== undefined,
    'the harness to have `reopen`, which closes the store and opens its data again; a store that keeps nothing when it is closed is tested with { volatile: true }',
  );
  return opened;
}

/** One test for each method: its writes are there after the store was closed and opened again. */
export function durabilityOf<Tested extends Store>(writes: Writes<Tested>): StoreTests<Tested> {
  return Object.fromEntries(
    Object.entries(writes).map(([method, write]) => [
      `keeps what ${method} wrote when it is closed and opened again`,
      async (underTest: StoreUnderTest<Tested>) => {
        const read = await write(underTest.store, await storeDueRecords(underTest.store));
        const before = await read(underTest.store);
        expectEqual(await read(await reopened(underTest)), before, `what ${method} wrote`);
      },
    ]),
  );
}
