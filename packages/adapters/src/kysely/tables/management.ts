import type {
  AuditEntry,
  AuditEntryId,
  AuditEntryOutcome,
  ManagementKey,
  ManagementKeyId,
  ProjectId,
} from '@subrail/core/ports';
import { instant, nullable, text } from '../codec/codec.js';
import { json, object, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

export const managementKeyTable = recordTable<ManagementKey>()('management_keys', {
  id: text<ManagementKeyId>(),
  name: text(),
  access: text<ManagementKey['access']>(),
  hash: text(),
  createdAt: instant,
  lastUsedAt: nullable(instant),
  revokedAt: nullable(instant),
});

export const outcomeCodec = json(
  object<AuditEntryOutcome>({
    state: text<AuditEntryOutcome['state']>(),
    code: nullable(text()),
    endedAt: instant,
  }),
);

export const auditEntryTable = recordTable<AuditEntry>()('audit_entries', {
  id: text<AuditEntryId>(),
  createdAt: instant,
  actor: text(),
  operation: text(),
  projectId: nullable(text<ProjectId>()),
  subject: nullable(text()),
  input: json(plain<unknown>()),
  outcome: nullable(outcomeCodec),
});
