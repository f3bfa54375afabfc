import * as z from 'zod';

import {
  AuditEntryPage,
  AuditEntriesQuery,
  ManagementKeyInput,
  ManagementKeyWire,
  NewManagementKey,
  type AuditEntriesQueryInput,
} from './schemas.js';
import type { ManagementKeyId } from '../../records/index.js';
import { operation } from '../../operations/operation.js';
import { listAuditEntries } from './audit-log.js';
import { createManagementKey, listManagementKeys, revokeManagementKey } from './management-keys.js';

export const managementOperations = {
  /**
   * Creates a management key, with which its holder calls the routes under `/manage/v1`: those that read, or
   * all with access `write`. The result is the only time that the key is shown.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const { id, key } = await billing.management.createKey({ name: 'Dashboard', access: 'read' });
   */
  createKey: operation<(input: ManagementKeyInput) => Promise<NewManagementKey>>()({
    method: 'POST',
    path: '/manage/v1/management-keys',
    input: ManagementKeyInput,
    output: NewManagementKey,
    status: 201,
    summary: 'Creates a management key. The result is the only time that the key is shown.',
    run: ({ service, input }) => createManagementKey(service, input),
  }),
  /**
   * Lists every management key without its text, newest first, revoked ones too.
   *
   * @example
   * for (const { id, name } of await billing.management.listKeys()) console.log(id, name);
   */
  listKeys: operation<() => Promise<readonly ManagementKeyWire[]>>()({
    method: 'GET',
    path: '/manage/v1/management-keys',
    output: z.array(ManagementKeyWire).readonly(),
    summary: 'Every management key without its text, newest first, revoked ones too.',
    run: ({ service }) => listManagementKeys(service),
  }),
  /**
   * Revokes a management key at once; a revoked key stays as it is. Refuses with `not_found`.
   *
   * @example
   * const { id } = await billing.management.createKey({ name: 'Contractor', access: 'read' });
   * await billing.management.revokeKey(id);
   */
  revokeKey: operation<(keyId: string) => Promise<void>>()({
    method: 'POST',
    path: '/manage/v1/management-keys/{id}/revoke',
    output: z.void(),
    notFound: 'not_found',
    summary: 'Revokes a management key at once. One that is revoked already is left as it is.',
    run: ({ service, id }) => revokeManagementKey(service, id as ManagementKeyId),
  }),
  /**
   * Lists the audit log, newest first: every change through management on this store, by whom, when, of what
   * and with which outcome. `project` and `subject` (an id, or the slug of a plan) filter it.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const { data } = await billing.management.auditEntries({ project: projectId });
   * for (const { created_at, actor, operation } of data) console.log(created_at, actor, operation);
   */
  auditEntries: operation<(query?: AuditEntriesQueryInput) => Promise<AuditEntryPage>>()({
    method: 'GET',
    path: '/manage/v1/audit-entries',
    input: AuditEntriesQuery.prefault({}),
    output: AuditEntryPage,
    summary: 'The audit log: every change through management, newest first.',
    run: ({ service, input }) => listAuditEntries(service, input),
  }),
};
