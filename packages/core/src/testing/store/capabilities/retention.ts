import type { Batch, BatchCursor, RetentionStore, Store } from '../../../ports/store.js';
import type { Delivery, SubscriptionEvent } from '../../../records/index.js';
import { aCommit, aDeliveryAttempt, aTransfer } from '../../records.js';
import { expectEqual } from '../../expect.js';
import {
  at,
  eventOf,
  mustCommit,
  storeFixture,
  HELD,
  type Fixture,
  deliveryOf,
  termsOf,
} from '../fixture.js';
import type { StoreTests, RawReader } from '../store-under-test.js';
import { afterFailure, storeDeliveries } from '../delivery-fixture.js';
import { allParts } from '../pages.js';

type Delete = (limit: number, after: BatchCursor | null) => Promise<Batch>;

/** Deletes batch by batch to the end. Returns how many rows each batch deleted. */
async function deleteAll(deleteSome: Delete, limit: number): Promise<readonly number[]> {
  const batches = await allParts((after: BatchCursor | null) => deleteSome(limit, after));
  return batches.map(({ changed }) => changed);
}

/** Stores an event for each row, with a delivery of these fields unless they are null. */
async function storeEvents(
  store: Store,
  fixture: Fixture,
  rows: readonly { readonly createdAt: Date; readonly delivery: Partial<Delivery> | null }[],
): Promise<{ readonly events: readonly SubscriptionEvent[]; readonly deliveries: readonly Delivery[] }> {
  const subscription = fixture.aSubscription();
  const events = rows.map(({ createdAt }, place) => eventOf(subscription, place + 1, { createdAt }));
  const deliveries = events.flatMap((event, place) => {
    const delivery = rows[place]?.delivery ?? null;
    return delivery === null ? [] : [deliveryOf(event, fixture.endpoint, delivery)];
  });
  await mustCommit(store, aCommit(subscription, { events, deliveries }));
  return { events, deliveries };
}

const DELIVERED = { state: 'delivered', attempts: 1, nextAttemptAt: null } as const;
const FAILED = { ...DELIVERED, state: 'failed', attempts: 11 } as const;

/** Records older than their retention are deleted, a few at a time, and no others. */
export const retentionTests: StoreTests<Store & RetentionStore> = {
  'deletes old events with their deliveries, and none with a pending delivery': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const settled = { ...DELIVERED, settledAt: at(50) };
    const { events } = await storeEvents(store, fixture, [
      { createdAt: at(3), delivery: settled },
      { createdAt: at(1), delivery: { ...FAILED, settledAt: at(50) } },
      { createdAt: at(2), delivery: {} },
      { createdAt: at(2), delivery: null },
      { createdAt: at(9), delivery: settled },
    ]);
    const [older, oldest, pending, undelivered, recent] = events;
    const deleteSome: Delete = (limit, after) => store.deleteEvents(at(9), limit, after);
    const first = await deleteSome(1, null);
    expectEqual(first, { changed: 1, next: { at: at(1), id: oldest?.id } }, 'the first batch of one');
    expectEqual(await raw.event(oldest?.id as never), null, 'the oldest event');
    // Three are left before the date, and the batch passes over the pending one.
    expectEqual(await deleteAll((limit) => deleteSome(limit, first.next), 9), [2], 'how many it deleted');
    const left = await Promise.all(
      [older, oldest, pending, undelivered, recent].map(
        async (event) => (await raw.event(event?.id as never)) !== null,
      ),
    );
    expectEqual(left, [false, false, true, false, true], 'which events are left');
    expectEqual(await raw.count('deliveries'), 2, 'how many deliveries are left');
    expectEqual(await deleteAll(deleteSome, 1), [0, 0], 'a later run, which passes over the pending one');
    expectEqual(await raw.count('subscriptions'), 1, 'how many subscriptions are left');
  },

  'deletes deliveries that were settled long ago, and keeps all events': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const { deliveries } = await storeEvents(store, fixture, [
      { createdAt: at(1), delivery: { ...DELIVERED, createdAt: at(0), settledAt: at(20) } },
      { createdAt: at(2), delivery: { ...DELIVERED, createdAt: at(0), settledAt: at(5) } },
      { createdAt: at(3), delivery: { ...FAILED, createdAt: at(0), settledAt: at(6) } },
      { createdAt: at(4), delivery: { createdAt: at(0) } },
    ]);
    expectEqual(
      await deleteAll((limit, after) => store.deleteDeliveries(at(20), limit, after), 1),
      [1, 1, 0],
      'how many each batch of one deleted',
    );
    const left = await Promise.all(deliveries.map(async ({ id }) => (await raw.delivery(id)) !== null));
    expectEqual(left, [true, false, false, true], 'which deliveries are left');
    expectEqual(await raw.count('events'), 4, 'how many events are left');
  },

  'deletes the attempts of a delivery with it': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const due = { nextAttemptAt: at(1) };
    const { deliveries } = await storeEvents(store, fixture, [
      { createdAt: at(1), delivery: due },
      { createdAt: at(99), delivery: due },
    ]);
    for (const delivery of deliveries)
      await store.settleDeliveries([
        {
          delivery: { ...delivery, ...DELIVERED, settledAt: at(5) },
          wasDueAt: at(1),
          attempt: aDeliveryAttempt({ deliveryId: delivery.id }),
        },
      ]);
    expectEqual(await raw.count('deliveryAttempts'), 2, 'how many attempts there are');
    await store.deleteEvents(at(9), 9, null);
    expectEqual(await raw.count('deliveryAttempts'), 1, 'how many once the event of the first is deleted');
    await store.deleteDeliveries(at(9), 9, null);
    expectEqual(await raw.count('deliveryAttempts'), 0, 'how many once the deliveries are deleted');
  },

  'deletes old expired checkouts, unless signed, submitted or with an event': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const expired = { status: 'expired', lastEventAt: at(5), createdAt: at(1) } as const;
    const old = [
      await fixture.aStoredSubscription(expired),
      await fixture.aStoredSubscription({ ...expired, lastEventAt: at(4) }),
    ];
    const recentOrOtherStatus = [
      await fixture.aStoredSubscription({ ...expired, lastEventAt: at(9) }),
      await fixture.aStoredSubscription({ ...expired, status: 'pending', lastEventAt: null }),
      await fixture.aStoredSubscription({ ...expired, status: 'ended' }),
    ];
    const submitted = fixture.aSubscription({ ...expired });
    const lost = aTransfer({ subscriptionId: submitted.id, state: 'lost', resolvedAt: at(5) });
    const signed = fixture.aSubscription({ ...expired });
    const announced = fixture.aSubscription({ ...expired, lastSequence: 1 });
    await mustCommit(
      store,
      aCommit(submitted, { transfers: [lost] }),
      aCommit(signed, { signedTerms: termsOf(signed, 'signature') }),
      aCommit(announced, { events: [eventOf(announced, 1)] }),
    );
    const deleteSome: Delete = (limit, after) => store.deleteExpiredCheckouts(at(9), limit, after);
    const deleted = await deleteAll(deleteSome, 2);
    expectEqual(
      deleted.reduce((sum, count) => sum + count, 0),
      2,
      'how many were deleted',
    );
    for (const { id } of [...recentOrOtherStatus, submitted, signed, announced])
      expectEqual((await raw.subscription(id)) !== null, true, `whether ${id} is left`);
    for (const { id } of old) expectEqual(await raw.subscription(id), null, 'an old checkout');
  },

  'keeps a held event, however old it is': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription({ lastSequence: 2, hasHeldEvents: true });
    const [held, later] = [eventOf(subscription, 1, HELD), eventOf(subscription, 2)];
    await mustCommit(store, aCommit(subscription, { events: [held, later] }));
    await store.deleteEvents(at(99), 9, null);
    expectEqual((await raw.event(held.id)) !== null, true, 'whether the held event is left');
    expectEqual(await raw.event(later.id), null, 'the event after it');
  },
};

/** Deliveries that wait by a clock that was ahead are made due. */
export const hastenedDeliveryTests: StoreTests<Store & RetentionStore> = {
  'hastens the deliveries that wait by a clock that was ahead, and no others': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const sentAgain = { attempts: 3, attemptsBefore: 3, nextAttemptAt: at(802) };
    const rows = [at(801), at(1), at(1), sentAgain] as const;
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, rows);
    const [unsent, triedAhead, triedOnTime, resent] = deliveries;
    const failed = (delivery: Delivery, startedAt: Date) => {
      const result = afterFailure(delivery, at(900));
      return { ...result, attempt: { ...result.attempt, startedAt } };
    };
    await store.settleDeliveries([failed(triedAhead, at(800)), failed(triedOnTime, at(5))]);
    const hasten = async (after: Date, to: Date) =>
      (await store.hastenDeliveries(after, to, 9, null)).changed;
    expectEqual(await hasten(at(900), at(20)), 0, 'how many wait for a later date');
    expectEqual(await hasten(at(10), at(20)), 3, 'how many it hastened');
    expectEqual(
      await dueDatesOf(raw, [unsent, triedAhead, triedOnTime, resent]),
      [at(20), at(20), at(900), at(20)],
      'when the deliveries are due',
    );
    expectEqual(await hasten(at(30), at(40)), 0, 'how many it hastened again');
  },

  'hastens a batch of deliveries at a time, soonest first, then by id': async ({ store, raw }) => {
    const fixture = await storeFixture(store);
    const dates = [at(900), at(1), at(800), at(800), at(700)] as const;
    const { deliveries } = await storeDeliveries(store, fixture, fixture.endpoint, dates);
    const [last, retried, one, other, first] = deliveries;
    const retry = afterFailure(retried, at(750));
    await store.settleDeliveries([{ ...retry, attempt: { ...retry.attempt, startedAt: at(5) } }]);
    const [lower, higher] = one.id < other.id ? [one, other] : [other, one];
    const dueDates = () => dueDatesOf(raw, [first, retried, lower, higher, last]);

    const batch = await store.hastenDeliveries(at(10), at(6), 3, null);
    expectEqual(batch, { changed: 2, next: { at: at(800), id: lower.id } }, 'the first batch of three');
    expectEqual(
      await dueDates(),
      [at(6), at(750), at(6), at(800), at(900)],
      'when the deliveries are due then',
    );
    const rest = await store.hastenDeliveries(at(11), at(7), 3, batch.next);
    expectEqual(rest, { changed: 2, next: null }, 'the batch after it');
    expectEqual(
      await dueDates(),
      [at(6), at(750), at(6), at(7), at(7)],
      'when the deliveries are due at last',
    );
  },
};

function dueDatesOf(raw: RawReader, deliveries: readonly Delivery[]): Promise<readonly (Date | null)[]> {
  return Promise.all(
    deliveries.map(async ({ id }) => {
      const dueAt = (await raw.delivery(id))?.nextAttemptAt ?? null;
      return dueAt === null ? null : new Date(dueAt);
    }),
  );
}
