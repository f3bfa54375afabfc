import type { Batch, BatchCursor, MailStore, RetentionStore } from '@subrail/core/ports';
import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely';
import { againAfterConflicts } from '../query/again-after-conflicts.js';
import { changeBatch, type BatchRow } from '../query/change-batch.js';
import { WriteConflict, type Handle, type Session } from '../query/session.js';
import { prepare, type Statement } from '../query/statement.js';
import type { Database } from '../tables/database.js';

interface Old {
  readonly before: number;
  readonly afterAt: number;
  readonly afterId: string;
  readonly limit: number;
}

type Deletions = Omit<RetentionStore, 'hastenDeliveries'> & Pick<MailStore, 'deleteMails'>;

/**
 * Deletes what is older than its retention. Subqueries with a limit look for rows that refer to a record: for
 * `exists` an engine may read their whole table.
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
  const oldSettled = <Id extends string>(table: 'deliveries' | 'mails') =>
    prepare(({ before, afterAt, afterId, limit }: Old) =>
      db
        .selectFrom(table)
        .select([
          sql.ref<Id>('id').as('id'),
          sql.ref<number | null>('settled_at').as('at'),
          sql.lit(0).as('stays'),
        ])
        // A literal, for the partial index.
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
      // Implied by the next condition, because a checkout begins before its last event. It has the index.
      .where('created_at', '<', before)
      .where('last_event_at', '<', before)
      .where(sql<boolean>`(created_at, id) > (${afterAt}, ${afterId})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
  );

  /** Reads the oldest records, and deletes those that may go. */
  function deleting<Id extends string>(
    old: Statement<Old, BatchRow<Id>>,
    remove: (handle: Handle, ids: readonly Id[], before: number) => Promise<number>,
  ) {
    return ({ atomically, traits }: Session) => {
      // A row that another caller inserts meanwhile is invisible here, but keeps what it refers to.
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

  // Each deletion repeats the condition of the read, because another caller may have changed a record.
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
  const settled = (table: 'deliveries' | 'mails') =>
    deleting(oldSettled(table), async (handle, ids, before) => {
      const deleted = await handle
        .deleteFrom(table)
        .where('id', 'in', ids as never)
        .where('state', '<>', sql.lit('pending' as const))
        .where('settled_at', '<', before)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    });
  const [deliveries, mails] = [settled('deliveries'), settled('mails')];
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
    deleteMails: mails(session),
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
