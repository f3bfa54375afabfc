import type { Deletion, DeliveryId, RetentionCursor, RetentionStore } from '@subrail/core/ports';
import { soonestFirst } from '../order.js';
import { attemptKey, type Tables } from '../tables.js';

/** Deletes what is older than its retention. */
export function retentionStore(tables: Tables): RetentionStore {
  const { subscriptions, events, deliveries, deliveryAttempts, transfers, attempts, signedTerms } = tables;

  /** Whether anything that is kept names the subscription. */
  function isNamed(id: string): boolean {
    return (
      events.where('subscription', id).length > 0 ||
      transfers.where('subscription', id).length > 0 ||
      attempts.where('subscription', id).length > 0 ||
      signedTerms.where('subscription', id).length > 0
    );
  }

  /** Deletes deliveries with their log. */
  function remove(ids: readonly DeliveryId[]): void {
    const log = ids.flatMap((id) => deliveryAttempts.where('delivery', id));
    deliveryAttempts.delete(log.map(attemptKey));
    deliveries.delete(ids);
  }

  return {
    async deleteEvents(createdBefore, limit, after) {
      const { looked, next } = oldest(events.all(), (row) => row.createdAt, createdBefore, limit, after);
      const old = looked.filter(
        ({ id, heldState }) => heldState === null && deliveries.where('event', id).every(isSettled),
      );
      remove(old.flatMap(({ id }) => deliveries.where('event', id).map((row) => row.id)));
      events.delete(old.map(({ id }) => id));
      return { deleted: old.length, next };
    },
    async deleteDeliveries(settledBefore, limit, after) {
      const settled = deliveries.all().filter(isSettled);
      const { looked, next } = oldest(settled, (row) => row.settledAt, settledBefore, limit, after);
      remove(looked.map(({ id }) => id));
      return { deleted: looked.length, next };
    },
    async deleteExpiredCheckouts(expiredBefore, limit, after) {
      const expired = subscriptions.all().filter(({ status }) => status === 'expired');
      const { looked, next } = oldest(expired, (row) => row.lastEventAt, expiredBefore, limit, after);
      const previous = new Set(subscriptions.all().map(({ previousId }) => previousId));
      const old = looked.filter(({ id }) => !isNamed(id) && !previous.has(id));
      subscriptions.delete(old.map(({ id }) => id));
      return { deleted: old.length, next };
    },
  };
}

function isSettled({ state }: { readonly state: string }): boolean {
  return state !== 'pending';
}

/** The rows whose date is before an instant and which follow the cursor, oldest first, and where the next ones begin. */
function oldest<Row extends { readonly id: string }>(
  rows: readonly Row[],
  dateOf: (row: Row) => Date | null,
  before: Date,
  limit: number,
  after: RetentionCursor | null,
): { readonly looked: readonly Row[]; readonly next: Deletion['next'] } {
  const dated = rows.flatMap((row) => {
    const at = dateOf(row);
    return at === null || at >= before || (after !== null && soonestFirst({ id: row.id, at }, after) <= 0)
      ? []
      : [{ row, id: row.id, at }];
  });
  const looked = dated.sort(soonestFirst).slice(0, limit);
  const last = looked.length === limit ? looked.at(-1) : undefined;
  return {
    looked: looked.map(({ row }) => row),
    next: last === undefined ? null : { id: last.id, at: last.at },
  };
}
