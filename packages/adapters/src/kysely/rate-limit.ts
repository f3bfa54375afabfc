import type { RateLimit } from '@subrail/core/ports';
import { sql } from 'kysely';
import type { Handle } from './query/session.js';
import { prepare } from './query/statement.js';

const WINDOW_MS = 60_000;
/** How often windows that ended are deleted. */
const CLEAN_MS = 60_000;

/**
 * Creates the RateLimit port on the database of a Kysely store, so that all hosts which share the database count together.
 *
 * @example
 * import { createKyselyRateLimit, type Database } from '@subrail/adapters/kysely';
 * import type { Kysely } from 'kysely';
 *
 * const rateLimitOf = (db: Kysely<Database>) => createKyselyRateLimit(db);
 */
export function createKyselyRateLimit(db: Handle): RateLimit {
  // One statement, so that of racing hosts each sees what the others counted before it.
  const take = prepare(
    (values: {
      caller: string;
      startedAt: number;
      calls: number;
      now: number;
      ended: number;
      ahead: number;
    }) => {
      const isOver = sql`(rate_windows.started_at <= ${values.ended} or rate_windows.started_at > ${values.ahead})`;
      const beganEarlier = sql`(excluded.started_at < rate_windows.started_at and rate_windows.started_at <= ${values.now})`;
      return db
        .insertInto('rate_windows')
        .values({ caller: values.caller, started_at: values.startedAt, calls: values.calls })
        .onConflict((conflict) =>
          conflict.column('caller').doUpdateSet({
            started_at: sql`case when ${isOver} or ${beganEarlier} then excluded.started_at else rate_windows.started_at end`,
            calls: sql`case when ${isOver} then excluded.calls else rate_windows.calls + excluded.calls end`,
          }),
        )
        .returning(['started_at', 'calls']);
    },
  );
  const deleteEnded = prepare((values: { ended: number }) =>
    db.deleteFrom('rate_windows').where('started_at', '<=', values.ended),
  );
  let cleanedAt = -Infinity;

  return {
    async take(caller, calls, { startedAt, now }) {
      const at = now.getTime();
      const bounds = { now: at, ended: at - WINDOW_MS, ahead: at + WINDOW_MS };
      if (Math.abs(at - cleanedAt) >= CLEAN_MS) {
        cleanedAt = at;
        // Another host's clock may show a window as begun a little later. When this fails, the call goes on, and the next cleaning deletes more.
        await deleteEnded.write(db, { ended: bounds.ended - WINDOW_MS }).catch(() => undefined);
      }
      const row = await take.first(db, { caller, calls, startedAt: startedAt.getTime(), ...bounds });
      if (row === null) throw new Error('The database returned no row for the calls that it counted.');
      return { startedAt: new Date(row.started_at), before: row.calls - calls };
    },
  };
}
