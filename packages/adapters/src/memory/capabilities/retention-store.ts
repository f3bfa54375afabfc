import type { Delivery, DeliveryId, RetentionStore } from '@subrail/core/ports';
import { batchOf } from '../order.js';
import { attemptKey, type Tables } from '../tables.js';

export function retentionStore(tables: Tables): RetentionStore {
  const { subscriptions, events, deliveries, deliveryAttempts, transfers, attempts, signedTerms } = tables;

  /** Whether another record names the subscription. */
  function isNamed(id: string): boolean {
    return (
      events.where('subscription', id).length > 0 ||
      transfers.where('subscription', id).length > 0 ||
      attempts.where('subscription', id).length > 0 ||
      signedTerms.where('subscription', id).length > 0
    );
  }

  function remove(ids: readonly DeliveryId[]): void {
    const log = ids.flatMap((id) => deliveryAttempts.where('delivery', id));
    deliveryAttempts.delete(log.map(attemptKey));
    deliveries.delete(ids);
  }

  return {
    async deleteEvents(createdBefore, limit, after) {
      const old = events.all().filter(({ createdAt }) => createdAt < createdBefore);
      const { batch, next } = batchOf(old, ({ createdAt }) => createdAt, limit, after);
      const deleted = batch.filter(
        ({ id, heldState }) => heldState === null && deliveries.where('event', id).every(isSettled),
      );
      remove(deleted.flatMap(({ id }) => deliveries.where('event', id).map((row) => row.id)));
      events.delete(deleted.map(({ id }) => id));
      return { changed: deleted.length, next };
    },
    async deleteDeliveries(settledBefore, limit, after) {
      const old = deliveries
        .all()
        .filter((row) => isSettled(row) && row.settledAt !== null && row.settledAt < settledBefore);
      const { batch, next } = batchOf(old, ({ settledAt }) => settledAt, limit, after);
      remove(batch.map(({ id }) => id));
      return { changed: batch.length, next };
    },
    async deleteExpiredCheckouts(expiredBefore, limit, after) {
      const old = subscriptions
        .all()
        .filter(
          ({ status, lastEventAt }) =>
            status === 'expired' && lastEventAt !== null && lastEventAt < expiredBefore,
        );
      const { batch, next } = batchOf(old, ({ lastEventAt }) => lastEventAt, limit, after);
      const previous = new Set(subscriptions.all().map(({ previousId }) => previousId));
      const deleted = batch.filter(({ id }) => !isNamed(id) && !previous.has(id));
      subscriptions.delete(deleted.map(({ id }) => id));
      return { changed: deleted.length, next };
    },
    async hastenDeliveries(after, at, limit, cursor) {
      const isAhead = ({ id, attempts, attemptsBefore }: Delivery) =>
        attempts === attemptsBefore ||
        deliveryAttempts
          .where('delivery', id)
          .some(({ number, startedAt }) => number === attempts && startedAt > after);
      const waiting = deliveries
        .all()
        .filter((row) => row.state === 'pending' && row.eventId !== null)
        .filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt > after);
      const { batch, next } = batchOf(waiting, ({ nextAttemptAt }) => nextAttemptAt, limit, cursor);
      const hastened = batch.filter(isAhead);
      deliveries.put(hastened.map((row) => ({ ...row, nextAttemptAt: at })));
      return { changed: hastened.length, next };
    },
  };
}

function isSettled({ state }: { readonly state: string }): boolean {
  return state !== 'pending';
}
