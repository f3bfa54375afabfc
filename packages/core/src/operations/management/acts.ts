import type { ActPage, ActsQuery, ActWire } from '../../contract/management-access.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Act, ActId, ProjectId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { unknownCursor } from '../subscriptions/list.js';

/** Lists the acts of the audit log, newest first. */
export async function listActs(
  { store }: Service,
  { project, subject, limit, starting_after }: ActsQuery,
): Promise<ActPage> {
  const page = await store.listActs(
    { projectId: (project ?? null) as ProjectId | null, subject: subject ?? null },
    { limit, startingAfter: (starting_after ?? null) as ActId | null },
  );
  if (page === 'unknown_cursor') throw unknownCursor();
  return { data: page.data.map(actWire), has_more: page.hasMore };
}

function actWire({ outcome, ...act }: Act): ActWire {
  return {
    id: act.id,
    created_at: toWireDate(act.createdAt),
    actor: act.actor,
    operation: act.operation,
    project: act.projectId,
    subject: act.subject,
    input: act.input,
    outcome: outcome?.state ?? null,
    code: outcome?.code ?? null,
    ended_at: toWireDate(outcome?.endedAt ?? null),
  };
}
