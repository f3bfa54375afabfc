import type { AuditEntryId, ManagementKeyId, ProjectId } from './ids.js';

/** A key of the operator, for the routes under `/manage/v1`. The key itself is not stored, only its hash. */
export interface ManagementKey {
  readonly id: ManagementKeyId;
  /** Who or what the key is for, as its maker wrote. The audit log shows it. */
  readonly name: string;
  /** Whether its holder may only read, or change as well. */
  readonly access: 'read' | 'write';
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** How a change through management ended. */
export interface AuditEntryOutcome {
  /** `failed`: by a fault of the service, after which the change may have taken effect. */
  readonly state: 'done' | 'refused' | 'failed';
  /** The code of the refusal or failure; null when it was done. */
  readonly code: string | null;
  readonly endedAt: Date;
}

/** An entry of the audit log: who changed what, and when. It is stored before the change takes effect. */
export interface AuditEntry {
  readonly id: AuditEntryId;
  readonly createdAt: Date;
  /** The actor: a management key with its name, the user of the command, or `process` for a function call. */
  readonly actor: string;
  /** The name of the operation, such as `plans.create`. */
  readonly operation: string;
  /** The project that it worked on; null for one that works on none. */
  readonly projectId: ProjectId | null;
  /** The id or slug of the record that it worked on; null until it is known. */
  readonly subject: string | null;
  /** The input of the operation, which never has a secret. */
  readonly input: unknown;
  /** Null while the change runs, and for ever when its process died. */
  readonly outcome: AuditEntryOutcome | null;
}
