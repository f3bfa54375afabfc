import type { RetentionStore } from '@subrail/core/ports';
import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely';
import { changeBatch } from '../query/change-batch.js';
import { placeFrom } from '../query/keyset.js';
import type { Handle, Session } from '../query/session.js';
import { prepare } from '../query/statement.js';
import type { Database } from '../tables/database.js';

/** Hastens deliveries that wait by a clock that was ahead. An empty batch takes no lock. */
export function hastening(db: Handle): (session: Session) => RetentionStore['hastenDeliveries'] {
  const waiting = prepare(
    ({ after, fromAt, fromId, limit }: { after: number; fromAt: number; fromId: string; limit: number }) =>
      db
        .selectFrom('deliveries')
        .select(['id', 'next_attempt_at as at'])
        .select((of) => waitsByRightClock(of, after).as('stays'))
        // A literal, for the partial index.
        .where('state', '=', sql.lit('pending' as const))
        .where('event_id', 'is not', null)
        .where(sql<boolean>`(next_attempt_at, id) > (${fromAt}, ${fromId})`)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(limit),
  );

  return ({ handle, atomically }) =>
    async (after, at, limit, cursor) => {
      const from = placeFrom(new Date(after.getTime() + 1), cursor);
      const values = { after: after.getTime(), fromAt: from.at, fromId: from.id, limit };
      const rows = await waiting.all(handle, values);
      return changeBatch(rows, limit, (ids) =>
        atomically(async (transaction) => {
          const hastened = await transaction
            .updateTable('deliveries')
            .set({ next_attempt_at: at.getTime() })
            .where('id', 'in', ids)
            // Checked again, because another caller may have sent it meanwhile.
            .where('state', '=', sql.lit('pending' as const))
            .where('next_attempt_at', '>', after.getTime())
            .where((of) => of.not(waitsByRightClock(of, after.getTime())))
            .executeTakeFirst();
          return Number(hastened.numUpdatedRows);
        }),
      );
    };
}

/** Whether the attempt before this wait began by `after`: then the delivery waits for a retry. */
function waitsByRightClock(
  of: ExpressionBuilder<Database, 'deliveries'>,
  after: number,
): ExpressionWrapper<Database, 'deliveries', SqlBool> {
  const lastBeganAt = of
    .selectFrom('delivery_attempts')
    .select('started_at')
    .whereRef('delivery_id', '=', 'deliveries.id')
    .whereRef('number', '=', 'deliveries.attempts');
  return of.and([
    of('attempts', '<>', of.ref('attempts_before')),
    of(of.fn.coalesce(lastBeganAt, sql.lit(0)), '<=', after),
  ]);
}
