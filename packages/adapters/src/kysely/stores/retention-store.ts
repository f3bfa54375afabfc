import type { Batch, BatchCursor, RetentionStore } from '@subrail/core/ports';
import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely';
import { againAfterConflicts } from '../query/again-after-conflicts.js';
import { changeBatch, type BatchRow } from '../query/change-batch.js';
import { WriteConflict, type Handle, type Session } from '../query/session.js';
import { prepare, type Statement } from '../query/statement.js';
import type { Database } from '../tables/database.js';

/** Old records in the order of their dates: those before an instant that follow the cursor. */
interface Old {
  readonly before: number;
  readonly afterAt: number;
  readonly afterId: string;
  readonly limit: number;
}

type Deletions = Omit<RetentionStore, 'hastenDeliveries'>;

/**
 * Deletes what is older than its retention. Whether something refers to a record is asked for by its first such row and not by `exists`,
 * because for that an engine may read the whole table that refers to it.
 */
export function retentionStore(db: Handle): (session: Session) => Deletions {
  const oldEvents = prepare(({ before, afterAt, afterId, limit }: Old) =>
    db
      .selectFrom('events')
      .select(['id', 'created_at as at'])
      .select((of) => eventStays(of).as('stays'))
      .where('created_at', '<', before)
      .where(sql<boolean>`(created_at, id) > (${afterAt}, ${afterId})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
  );
  const oldDeliveries = prepare(({ before, afterAt, afterId, limit }: Old) =>
    db
      .selectFrom('deliveries')
      .select(['id', 'settled_at as at', sql.lit(0).as('stays')])
      // As a literal, because an engine uses a partial index only when the query text itself names the state.
      .where('state', '<>', sql.lit('pending' as const))
      .where('settled_at', '<', before)
      .where(sql<boolean>`(settled_at, id) > (${afterAt}, ${afterId})`)
      .orderBy('settled_at')
      .orderBy('id')
      .limit(limit),
  );
  const oldCheckouts = prepare(({ before, afterAt, afterId, limit }: Old) =>
    db
      .selectFrom('subscriptions')
      .select(['id', 'created_at as at'])
      .select((of) => checkoutStays(of).as('stays'))
      .where('status', '=', sql.lit('expired' as const))
      // A checkout begins before its last event, so `created_at < before` holds for every row we want, and there is an index on it.
      .where('created_at', '<', before)
      .where('last_event_at', '<', before)
      .where(sql<boolean>`(created_at, id) > (${afterAt}, ${afterId})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
  );

  /** Reads the oldest records, deletes those that may go, and returns how many went and how far it came. */
  function deleting<Id extends string>(
    old: Statement<Old, BatchRow<Id>>,
    remove: (handle: Handle, ids: readonly Id[], before: number) => Promise<number>,
  ) {
    return ({ atomically, traits }: Session) => {
      // What another caller inserts meanwhile is not seen by a condition, but keeps the row that it refers to.
      const isConflict = (error: unknown) =>
        error instanceof WriteConflict || traits.isForeignKeyViolation(error);
      return (before: Date, limit: number, after: BatchCursor | null): Promise<Batch> =>
        againAfterConflicts(isConflict, () =>
          atomically(async (handle) => {
            const rows = await old.all(handle, {
              before: before.getTime(),
              afterAt: after?.at.getTime() ?? Number.MIN_SAFE_INTEGER,
              afterId: after?.id ?? '',
              limit,
            });
            return changeBatch(rows, limit, (ids) => remove(handle, ids, before.getTime()));
          }),
        );
    };
  }

  // Each deletes under the condition by which its records were read, because another caller may have changed one since.
  const events = deleting(oldEvents, async (handle, ids) => {
    await handle
      .deleteFrom('deliveries')
      .where('event_id', 'in', ids)
      .where('state', '<>', sql.lit('pending' as const))
      .execute();
    const deleted = await handle
      .deleteFrom('events')
      .where('id', 'in', ids)
      .where((of) => of.not(eventStays(of)))
      .executeTakeFirst();
    // An event that stays keeps all its deliveries.
    if (Number(deleted.numDeletedRows) < ids.length) throw new WriteConflict();
    return ids.length;
  });
  const deliveries = deleting(oldDeliveries, async (handle, ids, before) => {
    const deleted = await handle
      .deleteFrom('deliveries')
      .where('id', 'in', ids)
      .where('state', '<>', sql.lit('pending' as const))
      .where('settled_at', '<', before)
      .executeTakeFirst();
    return Number(deleted.numDeletedRows);
  });
  const checkouts = deleting(oldCheckouts, async (handle, ids, before) => {
    const deleted = await handle
      .deleteFrom('subscriptions')
      .where('id', 'in', ids)
      .where('status', '=', sql.lit('expired' as const))
      .where('last_event_at', '<', before)
      .where((of) => of.not(checkoutStays(of)))
      .executeTakeFirst();
    return Number(deleted.numDeletedRows);
  });

  return (session) => ({
    deleteEvents: events(session),
    deleteDeliveries: deliveries(session),
    deleteExpiredCheckouts: checkouts(session),
  });
}

/** An event stays while it is held, or one of its deliveries is pending. */
function eventStays(
  of: ExpressionBuilder<Database, 'events'>,
): ExpressionWrapper<Database, 'events', SqlBool> {
  const pending = of
    .selectFrom('deliveries')
    .select('deliveries.id')
    .whereRef('deliveries.event_id', '=', 'events.id')
    .where('deliveries.state', '=', sql.lit('pending' as const))
    .limit(1);
  return of.or([of('held_state', 'is not', null), of(pending, 'is not', null)]);
}

/** An expired checkout stays while something refers to it. */
function checkoutStays(
  of: ExpressionBuilder<Database, 'subscriptions'>,
): ExpressionWrapper<Database, 'subscriptions', SqlBool> {
  const oneOf = (table: 'events' | 'transfers' | 'attempts' | 'signed_terms') =>
    of
      .selectFrom(table)
      .select(`${table}.subscription_id`)
      .whereRef(`${table}.subscription_id`, '=', 'subscriptions.id')
      .limit(1);
  const next = of
    .selectFrom('subscriptions as next')
    .select('next.id')
    .whereRef('next.previous_id', '=', 'subscriptions.id')
    .limit(1);
  return of.or([
    of(oneOf('events'), 'is not', null),
    of(oneOf('transfers'), 'is not', null),
    of(oneOf('attempts'), 'is not', null),
    of(oneOf('signed_terms'), 'is not', null),
    of(next, 'is not', null),
  ]);
}
