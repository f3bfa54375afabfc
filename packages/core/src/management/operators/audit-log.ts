import { toWireDate } from '../../contract/scalars.js';
import { pageRequest, pageWire } from '../../operations/pages.js';
import type { AuditEntry, AuditEntryId, ProjectId } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { AuditEntryPage, AuditEntriesQuery, AuditEntryWire } from './schemas.js';

export async function listAuditEntries(
  { store }: Service,
  { project, subject, ...page }: AuditEntriesQuery,
): Promise<AuditEntryPage> {
  const entries = await store.listAuditEntries(
    { projectId: (project ?? null) as ProjectId | null, subject: subject ?? null },
    pageRequest<AuditEntryId>(page),
  );
  return pageWire(entries, auditEntryWire);
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
