import type { ProjectId } from '@subrail/core/ports';
import { sql } from 'kysely';
import { requireRow } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';

export interface Placed {
  readonly projectId: ProjectId;
  readonly count: number;
  /** No event is later. */
  readonly latestAt: number;
}

export interface Place {
  readonly before: number;
  /** No event of the project up to the last of them is later. */
  readonly latestAt: number;
}

/**
 * Takes the next positions of a project's events. The counter stays locked until the transaction ends, so no
 * event is visible before an earlier one of its project.
 */
export function eventPositions(db: Handle): (handle: Handle, placed: Placed) => Promise<Place> {
  const [ofCounter, ofPlaced] = [sql.ref('event_positions.latest_at'), sql.ref('excluded.latest_at')];
  const take = prepare((values: Placed) =>
    db
      .insertInto('event_positions')
      .values({ project_id: values.projectId, last: values.count, latest_at: values.latestAt })
      .onConflict((conflict) =>
        conflict.column('project_id').doUpdateSet({
          last: sql`${sql.ref('event_positions.last')} + ${sql.ref('excluded.last')}`,
          latest_at: sql`case when ${ofCounter} > ${ofPlaced} then ${ofCounter} else ${ofPlaced} end`,
        }),
      )
      .returning(['last', 'latest_at']),
  );
  return async (handle, placed) => {
    const { last, latest_at: latestAt } = requireRow(await take.first(handle, { ...placed }));
    return { before: last - placed.count, latestAt };
  };
}
