import { ServiceError } from '../../contract/errors.js';
import type { StoreOperations } from '../../ports/index.js';
import type { Endpoint, EndpointId, Project } from '../../records/index.js';

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
