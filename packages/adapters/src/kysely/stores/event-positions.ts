import type { ProjectId } from '@subrail/core/ports';
import { sql } from 'kysely';
import { requireRow } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';

/** Events of a project that get their positions. */
export interface Placed {
  readonly projectId: ProjectId;
  readonly count: number;
  /** A date that none of them is later than. */
  readonly latestAt: number;
}

/** Where their positions begin. */
export interface Place {
  /** The position before the first of them. */
  readonly before: number;
  /** A date that no event of the project up to the last of them is later than. */
  readonly latestAt: number;
}

/**
 * Takes the next positions of a project's events. The counter's row stays locked until the transaction ends, so that no event is seen
 * before every earlier one of its project.
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
