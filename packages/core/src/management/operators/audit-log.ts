import { toWireDate } from '../../contract/scalars.js';
import { unknownCursor } from '../../operations/require.js';
import type { AuditEntry, AuditEntryId, ProjectId } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { AuditEntryPage, AuditEntriesQuery, AuditEntryWire } from './schemas.js';

/** Lists the audit log, newest first. */
export async function listAuditEntries(
  { store }: Service,
  { project, subject, limit, starting_after }: AuditEntriesQuery,
): Promise<AuditEntryPage> {
  const page = await store.listAuditEntries(
    { projectId: (project ?? null) as ProjectId | null, subject: subject ?? null },
    { limit, startingAfter: (starting_after ?? null) as AuditEntryId | null },
  );
  if (page === 'unknown_cursor') throw unknownCursor();
  return { data: page.data.map(auditEntryWire), has_more: page.hasMore };
}

function auditEntryWire({ outcome, ...entry }: AuditEntry): AuditEntryWire {
  return {
    id: entry.id,
    created_at: toWireDate(entry.createdAt),
    actor: entry.actor,
    operation: entry.operation,
    project: entry.projectId,
    subject: entry.subject,
    input: entry.input,
    outcome: outcome?.state ?? null,
    code: outcome?.code ?? null,
    ended_at: toWireDate(outcome?.endedAt ?? null),
  };
}
