import type { ProjectId } from '@subrail/core/ports';
import { sql } from 'kysely';
import { requireRow } from '../query/related-rows.js';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';

/**
 * Takes the next positions of a project's events and returns the position before them. The counter's row stays locked until
 * the transaction ends, so that no event is seen before every earlier one of its project.
 */
export function eventPositions(
  db: Handle,
): (handle: Handle, projectId: ProjectId, count: number) => Promise<number> {
  const take = prepare((values: { projectId: ProjectId; count: number }) =>
    db
      .insertInto('event_positions')
      .values({ project_id: values.projectId, last: values.count })
      .onConflict((conflict) =>
        conflict
          .column('project_id')
          .doUpdateSet({ last: sql`${sql.ref('event_positions.last')} + ${sql.ref('excluded.last')}` }),
      )
      .returning('last'),
  );
  return async (handle, projectId, count) =>
    requireRow(await take.first(handle, { projectId, count })).last - count;
}
