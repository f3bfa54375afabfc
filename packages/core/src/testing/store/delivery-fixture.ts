import type { SettledDelivery, Store } from '../../ports/store.js';
import type { Delivery, Endpoint, SubscriptionEvent } from '../../records/index.js';
import { expectThat } from '../expect-that.js';
import { aCommit, aDelivery, aDeliveryAttempt } from '../records.js';
import { at, eventOf, type Fixture, mustCommit } from './fixture.js';

export const LEASE = 30_000;
export const LIMITS = { healthy: 10, failing: 10 };

/**
 * Commits an event for each row, each with a delivery to the endpoint: due at a date, settled for null, or
 * with these fields.
 */
export async function storeDeliveries(
  store: Store,
  fixture: Fixture,
  endpoint: Endpoint,
  rows: readonly (Date | null | Partial<Delivery>)[],
): Promise<{ events: SubscriptionEvent[]; deliveries: Delivery[] }> {
  const subscription = fixture.aSubscription({ lastSequence: rows.length });
  const projectId = fixture.project.id;
  const events = rows.map((_, place) => eventOf(subscription, place + 1));
  const deliveries = events.map(({ id: eventId }, place) =>
    aDelivery({ projectId, eventId, endpointId: endpoint.id, ...fieldsOf(rows[place] ?? null) }),
  );
  await mustCommit(store, aCommit(subscription, { events, deliveries }));
  return { events, deliveries };
}

function fieldsOf(row: Date | null | Partial<Delivery>): Partial<Delivery> {
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

/** The only delivery of those that were stored. */
export function onlyOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  expectThat(row !== undefined && rows.length === 1, 'exactly one stored row');
  return row;
}
