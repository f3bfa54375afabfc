import type { Endpoint, EndpointId, ProjectId } from '../../records/index.js';
import type { WithUnreadable } from './unreadable-record.js';

/** Endpoints that were read together. */
export interface EndpointList extends WithUnreadable {
  readonly endpoints: readonly Endpoint[];
}

/** Stores the endpoints to which webhooks are sent. */
export interface EndpointStore {
  /**
   * Inserts an endpoint. Of N callers with one URL in one project exactly one gets `inserted`, the others `taken`; other
   * projects may have the URL too, and so may an endpoint that was deleted. Throws when its id is taken.
   */
  insertEndpoint(endpoint: Endpoint): Promise<'inserted' | 'taken'>;
  /**
   * Replaces an endpoint whose stored `version` is one less than the given one. Of N callers with one version exactly
   * one gets `updated`. `lost` means a conflict, and nothing was written: there is no such endpoint, the stored version is another
   * one, or another endpoint of the project has the URL and neither of the two is deleted.
   */
  updateEndpoint(endpoint: Endpoint): Promise<'updated' | 'lost'>;
  /** Returns every endpoint of the project that is not deleted, newest first. An unreadable one does not fail the call. */
  listEndpoints(projectId: ProjectId): Promise<EndpointList>;
  /**
   * Returns the project's endpoint with this id; null when there is none, when it is another project's, or when it was
   * deleted.
   */
  findEndpoint(projectId: ProjectId, id: EndpointId): Promise<Endpoint | null>;
}
