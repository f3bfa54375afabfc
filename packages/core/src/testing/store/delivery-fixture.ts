import type { SettledDelivery, Store } from '../../ports/store.js';
import type { Delivery, Endpoint, SubscriptionEvent } from '../../records/index.js';
import { aCommit, aDeliveryAttempt } from '../records.js';
import { at, eventOf, type Fixture, mustCommit, deliveryOf } from './fixture.js';

export const LEASE = 30_000;
export const LIMITS = { healthy: 10, failing: 10 };

type DeliveryRow = Date | null | Partial<Delivery>;

/** A row of each of these. */
type EachOf<Rows extends readonly unknown[], Row> = { readonly [Index in keyof Rows]: Row };

/**
 * Commits an event for each row, each with a delivery to the endpoint: due at a date, settled for null, or
 * with these fields.
 */
export async function storeDeliveries<const Rows extends readonly DeliveryRow[]>(
  store: Store,
  fixture: Fixture,
  endpoint: Endpoint,
  rows: Rows,
) {
  const subscription = fixture.aSubscription({ lastSequence: rows.length });
  const events = rows.map((_, place) => eventOf(subscription, place + 1));
  const deliveries = events.map((event, place) => deliveryOf(event, endpoint, fieldsOf(rows[place] ?? null)));
  await mustCommit(store, aCommit(subscription, { events, deliveries }));
  return {
    events: events as unknown as EachOf<Rows, SubscriptionEvent>,
    deliveries: deliveries as unknown as EachOf<Rows, Delivery>,
  };
}

function fieldsOf(row: DeliveryRow): Partial<Delivery> {
  if (row === null) return { state: 'delivered', nextAttemptAt: null, settledAt: at(0) };
  return row instanceof Date ? { nextAttemptAt: row } : row;
}

/** The endpoints that a claim takes, in its order. */
export async function claimed(store: Store, now: Date, limits = LIMITS): Promise<readonly Endpoint['id'][]> {
  return (await store.claimEndpoints(now, limits, LEASE)).claimed.map(({ endpoint }) => endpoint.id);
}

/** A delivery after a failed attempt, which is followed by another one at `nextAttemptAt`. */
export function afterFailure(delivery: Delivery, nextAttemptAt: Date, status = 500): SettledDelivery {
  const attempts = delivery.attempts + 1;
  return {
    delivery: { ...delivery, attempts, nextAttemptAt, lastStatus: status, lastExcerpt: 'down' },
    wasDueAt: delivery.nextAttemptAt,
    attempt: aDeliveryAttempt({ deliveryId: delivery.id, number: attempts, status, nextAttemptAt }),
  };
}

/** A delivery after an attempt that succeeded. */
export function afterSuccess(delivery: Delivery): SettledDelivery {
  const attempts = delivery.attempts + 1;
  return {
    delivery: { ...delivery, attempts, state: 'delivered', nextAttemptAt: null, settledAt: at(9) },
    wasDueAt: delivery.nextAttemptAt,
    attempt: aDeliveryAttempt({
      deliveryId: delivery.id,
      number: attempts,
      status: 200,
      nextAttemptAt: null,
    }),
  };
}
