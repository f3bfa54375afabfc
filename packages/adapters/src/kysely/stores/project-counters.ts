import type { ProjectId } from '@subrail/core/ports';
import { sql } from 'kysely';
import { requireRow } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';

/** What a commit takes of the counters of a project. */
export interface Taken {
  readonly projectId: ProjectId;
  readonly events: number;
  /** No event is later; 0 without events. */
  readonly latestAt: number;
  readonly receipts: number;
}

export interface Counters {
  /** The position before the first event. */
  readonly position: number;
  /** No event of the project up to the last of them is later. */
  readonly latestAt: number;
  /** The number before the first receipt. */
  readonly receipt: number;
  readonly receiptPrefix: string | null;
}

/**
 * Takes the next positions of a project's events and the next numbers of its receipts. The counters stay
 * locked until the transaction ends, so nothing is visible before what has an earlier position or number, and
 * a transaction that fails takes none.
 */
export function projectCounters(db: Handle): (handle: Handle, taken: Taken) => Promise<Counters> {
  const [ofCounter, ofTaken] = [sql.ref('project_counters.latest_at'), sql.ref('excluded.latest_at')];
  const sumOf = (column: string) =>
    sql<number>`${sql.ref(`project_counters.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  const take = prepare((values: Taken) =>
    db
      .insertInto('project_counters')
      .values({
        project_id: values.projectId,
        last_position: values.events,
        latest_at: values.latestAt,
        last_receipt: values.receipts,
      })
      .onConflict((conflict) =>
        conflict.column('project_id').doUpdateSet({
          last_position: sumOf('last_position'),
          latest_at: sql`case when ${ofCounter} > ${ofTaken} then ${ofCounter} else ${ofTaken} end`,
          last_receipt: sumOf('last_receipt'),
        }),
      )
      .returning((counter) => [
        'last_position',
        'latest_at',
        'last_receipt',
        counter
          .selectFrom('sellers')
          .select('sellers.receipt_prefix')
          .whereRef('sellers.project_id', '=', 'project_counters.project_id')
          .as('receipt_prefix'),
      ]),
  );
  return async (handle, taken) => {
    const row = requireRow(await take.first(handle, { ...taken }));
    return {
      position: row.last_position - taken.events,
      latestAt: row.latest_at,
      receipt: row.last_receipt - taken.receipts,
      receiptPrefix: row.receipt_prefix,
    };
  };
}
