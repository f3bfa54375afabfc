import * as z from 'zod';

import { cursorInput, limitInput, lineInput } from '../../contract/inputs.js';
import { page } from '../../contract/page.js';
import { fields } from '../../contract/requests.js';
import { isoDate } from '../../contract/scalars.js';

const Access = z.enum(['read', 'write'], { error: 'must be read or write' });

/** A new management key, for the routes under `/manage/v1`. */
export const ManagementKeyInput = z.strictObject({
  /** Whose or what for it is. The audit log shows it. */
  name: lineInput(1, 64),
  /** `read` for one that may not change anything. */
  access: Access,
});
export type ManagementKeyInput = z.input<typeof ManagementKeyInput>;

/** A management key, without its text. */
export const ManagementKeyWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  access: Access,
  created_at: isoDate,
  /** To the minute. */
  last_used_at: isoDate.nullable(),
  revoked_at: isoDate.nullable(),
});
export type ManagementKeyWire = z.infer<typeof ManagementKeyWire>;

/** A new management key. Its text is shown only here, because only its hash is stored. */
export const NewManagementKey = ManagementKeyWire.extend({ key: z.string() });
export type NewManagementKey = z.infer<typeof NewManagementKey>;

/** An entry of the audit log. */
export const AuditEntryWire = z.strictObject({
  id: z.string(),
  created_at: isoDate,
  /** A management key with its name, the user of the command, or `process` for a function call. */
  actor: z.string(),
  /** The name of the operation, such as `plans.create`. */
  operation: z.string(),
  project: z.string().nullable(),
  /** The id or slug of the object; null when the change made none. */
  subject: z.string().nullable(),
  /** The request of the actor. */
  input: z.unknown(),
  /**
   * `done`, `refused`, or `failed` by a fault of the service. Null while the change runs, and after its
   * process died, when it may have taken effect.
   */
  outcome: z.enum(['done', 'refused', 'failed']).nullable(),
  /** Why it was refused or failed. */
  code: z.string().nullable(),
  ended_at: isoDate.nullable(),
});
export type AuditEntryWire = z.infer<typeof AuditEntryWire>;

/** A page of the audit log, newest first. */
export const AuditEntryPage = page(AuditEntryWire, 'The entries of this page, newest first.');
export type AuditEntryPage = z.infer<typeof AuditEntryPage>;

const idText = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be an id' });

/** Which entries to list. */
export const AuditEntriesQuery = fields({
  project: idText.optional().describe('Only changes of the project with this id.'),
  /** An id, or the slug of a plan. */
  subject: idText.optional().describe('Only changes of what has this id or slug.'),
  limit: limitInput(20),
  starting_after: cursorInput.optional(),
});
export type AuditEntriesQuery = z.infer<typeof AuditEntriesQuery>;
/** A request for a page of the audit log: `limit` is 1 to 100, 20 when absent. */
export type AuditEntriesQueryInput = z.input<typeof AuditEntriesQuery>;
