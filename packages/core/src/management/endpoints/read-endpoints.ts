import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import type { StoreOperations } from '../../ports/index.js';
import type { Endpoint, EndpointId, Project } from '../../records/index.js';
import { liveSecrets } from '../../rules/signing-secrets.js';
import type { Service } from '../../service.js';
import { signingKeys } from '../../webhooks/signing-keys.js';
import type { EndpointWire } from './schemas.js';

/** Reads an endpoint of the project. Throws `not_found`. */
export async function requireEndpoint(
  store: Pick<StoreOperations, 'findEndpoint'>,
  project: Project,
  id: string,
): Promise<Endpoint> {
  const endpoint = await store.findEndpoint(project.id, id as EndpointId);
  if (endpoint === null) {
    throw new ServiceError('not_found', { message: 'No endpoint of this project has that id.' });
  }
  return endpoint;
}

/** Throws `conflict` for an endpoint that is disabled: nothing is sent to it. */
export function requireEnabled({ enabled }: Endpoint): void {
  if (!enabled) {
    throw new ServiceError('conflict', {
      message: 'The endpoint is disabled, so nothing is sent to it. Enable it first.',
    });
  }
}

/** An endpoint as its project sees it, with whether the sealing key of this process opens its secrets. */
export async function describeEndpoint(service: Service, endpoint: Endpoint): Promise<EndpointWire> {
  const { crypto, wallClock } = service;
  const now = wallClock.now();
  const { closed } = await signingKeys(crypto, endpoint, now);
  const [, previous] = liveSecrets(endpoint.secrets, now);
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: [...endpoint.types],
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: toWireDate(endpoint.failingSince),
    last_failure: endpoint.failingSince === null ? null : await lastFailureOf(service, endpoint),
    can_sign: closed === 0,
    previous_secret_expires_at: toWireDate(previous?.expiresAt ?? null),
    created_at: toWireDate(endpoint.createdAt),
  };
}

/** The last answer to the newest delivery that waits and was tried, among the newest 20. */
async function lastFailureOf(
  { store }: Service,
  { projectId, id }: Endpoint,
): Promise<EndpointWire['last_failure']> {
  const waiting = { endpointId: id, eventId: null, state: 'pending' } as const;
  const page = await store.listProjectDeliveries(projectId, waiting, { limit: 20, startingAfter: null });
  const tried = page === 'unknown_cursor' ? undefined : page.data.find(({ attempts }) => attempts > 0);
  return tried === undefined ? null : { status: tried.lastStatus, excerpt: tried.lastExcerpt ?? '' };
}

export async function listEndpoints(service: Service, project: Project): Promise<readonly EndpointWire[]> {
  const { endpoints } = await service.store.listEndpoints(project.id);
  return Promise.all(endpoints.map((endpoint) => describeEndpoint(service, endpoint)));
}
