import * as z from 'zod';

import {
  ActPage,
  ActsQuery,
  ManagementKeyInput,
  ManagementKeyWire,
  NewManagementKey,
} from '../../contract/management-access.js';
import type { ManagementKeyId } from '../../records/index.js';
import { operation } from '../operation.js';
import { listActs } from './acts.js';
import { createManagementKey, listManagementKeys, revokeManagementKey } from './management-keys.js';

/** Who may manage, and what they did. */
export const managementOperations = [
  operation({
    name: 'management.createKey',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/management-keys',
    input: ManagementKeyInput,
    output: NewManagementKey,
    status: 201,
    notFound: null,
    errors: [],
    summary: 'Creates a management key. The result is the only time that the key is shown.',
    run: ({ service, input }) => createManagementKey(service, input),
  }),
  operation({
    name: 'management.listKeys',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/management-keys',
    input: null,
    output: z.array(ManagementKeyWire).readonly(),
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Every management key without its text, newest first, revoked ones too.',
    run: ({ service }) => listManagementKeys(service),
  }),
  operation({
    name: 'management.revokeKey',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/management-keys/{id}/revoke',
    input: null,
    output: z.void(),
    status: 200,
    notFound: 'not_found',
    errors: [],
    summary: 'Revokes a management key at once. One that is revoked already is left as it is.',
    run: ({ service, id }) => revokeManagementKey(service, id as ManagementKeyId),
  }),
  operation({
    name: 'management.acts',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/acts',
    input: ActsQuery.prefault({}),
    output: ActPage,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'The audit log: every act of management, newest first.',
    run: ({ service, input }) => listActs(service, input),
  }),
] as const;
