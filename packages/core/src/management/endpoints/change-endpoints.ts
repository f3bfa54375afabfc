import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { newId, type Endpoint, type Project } from '../../records/index.js';
import { rotateSecrets } from '../../rules/signing-secrets.js';
import type { Service } from '../../service.js';
import { ENDPOINT_ENDINGS } from '../../service/alert-kinds.js';
import { failDeliveries } from '../../service/fail-deliveries.js';
import { newSecret, sealSecret } from '../../webhooks/signing.js';
import { endpointUrl } from './endpoint-url.js';
import { describeEndpoint, requireEndpoint } from './read-endpoints.js';
import type {
  EndpointInput,
  EndpointUpdate,
  EndpointWire,
  EndpointWithSecret,
  SecretRotation,
} from './schemas.js';

const MOST_ENDPOINTS = 16;

export async function createEndpoint(
  service: Service,
  project: Project,
  { url, types }: z.output<typeof EndpointInput>,
): Promise<EndpointWithSecret> {
  const now = service.wallClock.now();
  const secret = newSecret(service.random);
  const endpoint: Endpoint = {
    id: newId(service.random, 'whe'),
    projectId: project.id,
    version: 1,
    url: endpointUrl(url, service.settings),
    types,
    enabled: true,
    disabledReason: null,
    secrets: [await sealSecret(service.crypto, secret, now)],
    failingSince: null,
    createdAt: now,
    deletedAt: null,
  };
  await service.store.transaction(async (operations) => {
    const { endpoints, unreadable } = await operations.listEndpoints(project.id);
    if (endpoints.length + unreadable.length >= MOST_ENDPOINTS) {
      throw conflict(
        `A project can have ${MOST_ENDPOINTS} endpoints, and this one has them. Change or delete one of them.`,
      );
    }
    if ((await operations.insertEndpoint(endpoint)) === 'taken') {
      throw conflict(
        'The project has an endpoint at this address already. Change that one, or use another address.',
      );
    }
  });
  return { ...(await describeEndpoint(service, endpoint)), secret };
}

export async function updateEndpoint(
  service: Service,
  project: Project,
  id: string,
  { types }: z.output<typeof EndpointUpdate>,
): Promise<EndpointWire> {
  return describeEndpoint(
    service,
    await change(service, project, id, (endpoint) => ({ ...endpoint, types })),
  );
}

export async function enableEndpoint(service: Service, project: Project, id: string): Promise<EndpointWire> {
  const enable = (endpoint: Endpoint): Endpoint =>
    endpoint.enabled ? endpoint : { ...endpoint, enabled: true, disabledReason: null, failingSince: null };
  const endpoint = await change(service, project, id, enable);
  service.alerts.over('endpoint_turned_off', endpoint.id, ENDPOINT_ENDINGS.enabled);
  return describeEndpoint(service, endpoint);
}

/** Disables an endpoint and fails its pending deliveries. A service's own disabling becomes one by hand. */
export async function disableEndpoint(service: Service, project: Project, id: string): Promise<EndpointWire> {
  const disable = (endpoint: Endpoint): Endpoint =>
    endpoint.enabled || endpoint.disabledReason !== null
      ? { ...endpoint, enabled: false, disabledReason: null }
      : endpoint;
  const endpoint = await change(service, project, id, disable);
  await failDeliveries(service, endpoint);
  for (const kind of ['endpoint_failing', 'endpoint_turned_off'] as const)
    service.alerts.over(kind, endpoint.id, ENDPOINT_ENDINGS.disabled);
  return describeEndpoint(service, endpoint);
}

export async function deleteEndpoint(service: Service, project: Project, id: string): Promise<void> {
  const now = service.wallClock.now();
  // A change that is being written with deliveries for the endpoint can name it still, so its record stays.
  const endpoint = await change(service, project, id, (before) => ({
    ...before,
    enabled: false,
    deletedAt: now,
    secrets: [],
  }));
  await failDeliveries(service, endpoint);
  service.alerts.over('endpoint_failing', endpoint.id, ENDPOINT_ENDINGS.deleted);
  service.alerts.over('endpoint_turned_off', endpoint.id, ENDPOINT_ENDINGS.deleted);
}

export async function rotateSecret(
  service: Service,
  project: Project,
  id: string,
  { overlap_hours }: z.output<typeof SecretRotation>,
): Promise<EndpointWithSecret> {
  const now = service.wallClock.now();
  const secret = newSecret(service.random);
  const fresh = await sealSecret(service.crypto, secret, now);
  const endpoint = await change(service, project, id, (before) => ({
    ...before,
    secrets: rotateSecrets(before.secrets, fresh, now, overlap_hours * 3_600_000),
  }));
  return { ...(await describeEndpoint(service, endpoint)), secret };
}

/** Stores the endpoint as `next` changes it, and starts again if another change was stored first. */
async function change(
  { store }: Service,
  project: Project,
  id: string,
  next: (endpoint: Endpoint) => Endpoint,
): Promise<Endpoint> {
  for (;;) {
    const before = await requireEndpoint(store, project, id);
    const changed = next(before);
    if (changed === before) return before;
    const after = { ...changed, version: before.version + 1 };
    if ((await store.updateEndpoint(after)) === 'updated') return after;
  }
}

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', { message });
}
