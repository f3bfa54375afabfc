import { z } from 'zod';

import { NewApiKey, ProjectInput, ProjectUpdate } from '../../contract/management.js';
import { ProjectWire } from '../../contract/project.js';
import type { ApiKeyId, ProjectId } from '../../records/index.js';
import { operation } from '../operation.js';
import { createApiKey, revokeApiKey } from './api-keys.js';
import { createProject, listProjects, projectWire, updateProject } from './projects.js';

/** Projects and their API keys. */
export const projectOperations = [
  operation({
    name: 'projects.create',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects',
    input: ProjectInput,
    output: ProjectWire,
    status: 201,
    notFound: null,
    errors: [],
    summary: 'Creates a project, of the business tier unless the input says otherwise.',
    run: ({ service, input }) => createProject(service, input),
  }),
  operation({
    name: 'projects.update',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{id}',
    input: ProjectUpdate,
    output: ProjectWire,
    status: 200,
    notFound: 'not_found',
    errors: [],
    summary:
      'Changes a project. A change of its tier or of its own limit of seats parks seats, or returns parked ones, at once.',
    run: ({ service, id, input }) => updateProject(service, id as ProjectId, input),
  }),
  operation({
    name: 'projects.list',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects',
    input: null,
    output: z.array(ProjectWire).readonly(),
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Lists every project.',
    run: ({ service }) => listProjects(service),
  }),
  operation({
    name: 'projects.retrieve',
    scope: 'project',
    method: 'GET',
    path: '/v1/project',
    limit: 'read',
    input: null,
    output: ProjectWire,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'The project the key belongs to.',
    run: async ({ service, project }) => projectWire(service, project),
  }),
  operation({
    name: 'keys.create',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/keys',
    input: null,
    output: NewApiKey,
    status: 201,
    notFound: null,
    errors: [],
    summary: 'Creates an API key of a project. The result is the only time that the key is shown.',
    run: ({ service, project }) => createApiKey(service, project.id),
  }),
  operation({
    name: 'keys.revoke',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/keys/{id}/revoke',
    input: null,
    output: z.void(),
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Revokes an API key at once. A key that is unknown or revoked already is left as it is.',
    run: ({ service, id }) => revokeApiKey(service, id as ApiKeyId),
  }),
] as const;
