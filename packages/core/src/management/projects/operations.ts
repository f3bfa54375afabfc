import * as z from 'zod';

import { operation } from '../../operations/operation.js';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.js';
import { createProject, deleteProject, managedProject, updateProject } from './manage-projects.js';
import { readLook, updateLook } from './project-look.js';
import {
  ApiKeyInput,
  ApiKeyRotation,
  ApiKeyWire,
  ManagedProject,
  NewApiKey,
  ProjectInput,
  ProjectLookUpdate,
  ProjectLookWire,
  ProjectUpdate,
  SellerUpdate,
  SellerWire,
} from './schemas.js';
import { readSeller, updateSeller } from './seller.js';

export const projectsOperations = {
  /**
   * Creates a project, of the `business` tier unless the input says otherwise. Keep its `id`:
   * `billing.project(id)` takes it.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const project = await billing.projects.create({ name: 'My shop' });
   * const shop = billing.project(project.id);
   */
  create: operation<(input: ProjectInput) => Promise<ManagedProject>>()({
    method: 'POST',
    path: '/manage/v1/projects',
    input: ProjectInput,
    output: ManagedProject,
    status: 201,
    summary: 'Creates a project, of the business tier unless the input says otherwise.',
    run: ({ service, input }) => createProject(service, input),
  }),
  /**
   * Lists every project.
   *
   * @example
   * for (const { id, name, tier } of await billing.projects.list()) console.log(id, name, tier);
   */
  list: operation<() => Promise<readonly ManagedProject[]>>()({
    method: 'GET',
    path: '/manage/v1/projects',
    output: z.array(ManagedProject).readonly(),
    summary: 'Lists every project.',
    run: async ({ service }) =>
      (await service.store.listProjects()).map((project) => managedProject(service, project)),
  }),
};

export const managedProjectOperations = {
  /**
   * Reads the project with its limits and addresses: `limits` are those that apply, null without a limit.
   * Refuses with `not_found`.
   *
   * @example
   * const { limits, cancel_url } = await shop.detail();
   */
  detail: operation<() => Promise<ManagedProject>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}',
    output: ManagedProject,
    summary: 'A project with its limits and addresses.',
    run: async ({ service, project }) => managedProject(service, project),
  }),
  /**
   * Changes the project; a field that is left out stays as it is. Over the new tier's limit of seats, or over
   * the project's own (`subscriber_limit`; null for the tier's), the wallets that were confirmed last are
   * parked; with more room, parked ones return. Late subscriptions get the retries of the new tier. A lower
   * limit of published plans (`published_plans_limit`; null for the tier's) leaves those that are published.
   *
   * Refuses with `invalid_request` and `not_found`.
   *
   * @example
   * await shop.update({ tier: 'dev', subscriber_limit: 500 });
   */
  update: operation<(changes: ProjectUpdate) => Promise<ManagedProject>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}',
    input: ProjectUpdate,
    output: ManagedProject,
    summary:
      'Changes a project. A change of its tier or of its own limit of seats parks seats, or returns parked ones, at once.',
    run: ({ service, project, input }) => updateProject(service, project, input),
  }),
  /**
   * Reads how the pages of the project's customers look: the colour of buttons and the picture beside its
   * name, each null while there is none. Refuses with `not_found` or `not_supported`.
   *
   * @example
   * const { accent } = await shop.look();
   */
  look: operation<() => Promise<ProjectLookWire>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/look',
    output: ProjectLookWire,
    errors: ['not_supported'],
    summary: "How the pages of a project's customers look: its colour and its picture.",
    run: ({ service, project }) => readLook(service, project),
  }),
  /**
   * Changes how the pages of the project's customers look; a field that is left out stays as it is. `accent`
   * is a colour such as `#0a7d5a`, and `logo` a PNG, JPEG, WebP or SVG picture as a data URL of at most
   * 16,384 characters, which is 12 kB. Pages that are open show it once they are loaded again.
   *
   * Refuses with `invalid_request`, `not_found` or `not_supported`.
   *
   * @example
   * await shop.updateLook({ accent: '#0a7d5a', logo: null });
   */
  updateLook: operation<(changes: ProjectLookUpdate) => Promise<ProjectLookWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/look',
    input: ProjectLookUpdate,
    output: ProjectLookWire,
    errors: ['not_supported'],
    summary: "Changes how the pages of a project's customers look: its colour and its picture.",
    run: ({ service, project, input }) => updateLook(service, project, input),
  }),
  /**
   * Reads who sells for the project, as its receipts say: legal name, lines of the address, tax id, and what
   * stands before the numbers of receipts. Refuses with `not_found` or `not_supported`.
   *
   * @example
   * const { legal_name, address } = await shop.seller();
   */
  seller: operation<() => Promise<SellerWire>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/seller',
    output: SellerWire,
    errors: ['not_supported'],
    summary: 'Who sells for a project, as its receipts say.',
    run: ({ service, project }) => readSeller(service, project),
  }),
  /**
   * Changes who sells for the project; a field that is left out stays as it is. Every receipt shows the name,
   * the address and the tax id as they are when it is opened. A prefix of 1 to 12 capital letters, digits and
   * hyphens counts for later receipts: the number of an older one never changes.
   *
   * Refuses with `invalid_request`, `not_found` or `not_supported`.
   *
   * @example
   * await shop.updateSeller({
   *   legal_name: 'Night Owl GmbH',
   *   address: ['Gasse 1', '1010 Wien', 'Austria'],
   *   receipt_prefix: 'NIGHT',
   * });
   */
  updateSeller: operation<(changes: SellerUpdate) => Promise<SellerWire>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/seller',
    input: SellerUpdate,
    output: SellerWire,
    errors: ['not_supported'],
    summary: 'Changes who sells for a project, as its receipts say.',
    run: ({ service, project, input }) => updateSeller(service, project, input),
  }),
  /**
   * Deletes the project with its API keys. Only one that never had a plan or an endpoint can be deleted.
   *
   * Refuses with `conflict` and `not_found`.
   *
   * @example
   * const { id } = await billing.projects.create({ name: 'A trial' });
   * await billing.project(id).delete();
   */
  delete: operation<() => Promise<void>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/delete',
    output: z.void(),
    errors: ['conflict'],
    summary: 'Deletes a project that never had a plan or an endpoint, with its API keys.',
    run: ({ service, project }) => deleteProject(service, project),
  }),
};

export const keyOperations = {
  /**
   * Creates an API key, with a name of 1 to 64 characters or without one. The result is the only time that
   * the key is shown: only its hash is stored. Other keys of the project stay as they are.
   *
   * Refuses with `invalid_request` and `not_found`.
   *
   * @example
   * const { id, key } = await shop.keys.create({ name: 'Web server' });
   * // `key` goes to whoever calls the routes; keep `id`, with which the key is rotated and revoked.
   */
  create: operation<(input?: ApiKeyInput) => Promise<NewApiKey>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/keys',
    input: ApiKeyInput.prefault({}),
    output: NewApiKey,
    status: 201,
    summary: 'Creates an API key of a project. The result is the only time that the key is shown.',
    run: ({ service, project, input }) => createApiKey(service, project, input),
  }),
  /**
   * Lists every key without its text, newest first, revoked ones too. `last_used_at` is to the minute.
   * Refuses with `not_found`.
   *
   * @example
   * const unused = (await shop.keys.list()).filter(({ last_used_at }) => last_used_at === null);
   */
  list: operation<() => Promise<readonly ApiKeyWire[]>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/keys',
    output: z.array(ApiKeyWire).readonly(),
    summary: 'Every API key of a project without its text, newest first, revoked ones too.',
    run: ({ service, project }) => listApiKeys(service, project),
  }),
  /**
   * Replaces a key by a new one with the same name. The old one ends at once, or after `overlap_hours` (0 to
   * 24). The result is the only time that the new key is shown.
   *
   * Refuses with `invalid_request`, `not_found`, or `conflict` for a key that was revoked or replaced
   * already.
   *
   * @example
   * const { id } = await shop.keys.create({ name: 'Web server' });
   * const { key } = await shop.keys.rotate(id, { overlap_hours: 1 });
   * // Within the hour, `key` goes to everyone who has the old one.
   */
  rotate: operation<(keyId: string, rotation?: ApiKeyRotation) => Promise<NewApiKey>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/keys/{id}/rotate',
    input: ApiKeyRotation.prefault({}),
    output: NewApiKey,
    notFound: 'not_found',
    errors: ['conflict'],
    summary:
      'Replaces an API key by a new one with its name. The old one ends at once, or after the overlap. The result is the only time that the new key is shown.',
    run: ({ service, project, id, input }) => rotateApiKey(service, project, id, input),
  }),
  /**
   * Revokes a key at once; a revoked key stays as it is. Refuses with `not_found`.
   *
   * @example
   * const { id } = await shop.keys.create();
   * await shop.keys.revoke(id);
   */
  revoke: operation<(keyId: string) => Promise<void>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/keys/{id}/revoke',
    output: z.void(),
    notFound: 'not_found',
    summary: 'Revokes an API key at once. One that is revoked already is left as it is.',
    run: ({ service, project, id }) => revokeApiKey(service, project, id),
  }),
};
