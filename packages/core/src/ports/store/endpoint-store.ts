import type { Endpoint, EndpointId, ProjectId } from '../../records/index.js';
import type { WithUnreadable } from './unreadable-record.js';

/** Endpoints that were read together. */
export interface EndpointList extends WithUnreadable {
  readonly endpoints: readonly Endpoint[];
}

/** Stores the endpoints to which webhooks are sent. */
export interface EndpointStore {
  /**
   * Inserts an endpoint. Of N callers with one URL in one project exactly one gets `inserted`, the others
   * `taken`. Other projects and deleted endpoints may have the URL too. Throws when its id is taken.
   */
  insertEndpoint(endpoint: Endpoint): Promise<'inserted' | 'taken'>;
  /**
   * Replaces an endpoint whose stored `version` is one less than the given one. Of N callers with one version
   * exactly one gets `updated`. `lost` means a conflict, and nothing was written: there is no such endpoint,
   * its version is another, or another endpoint of the project has the URL and neither of the two is deleted.
   */
  updateEndpoint(endpoint: Endpoint): Promise<'updated' | 'lost'>;
  /** Returns every undeleted endpoint of the project, newest first. A damaged row does not fail the call. */
  listEndpoints(projectId: ProjectId): Promise<EndpointList>;
  /** Returns the project's endpoint with this id; null for none, another project's, or a deleted one. */
  findEndpoint(projectId: ProjectId, id: EndpointId): Promise<Endpoint | null>;
}
