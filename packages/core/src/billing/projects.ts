import type { NewApiKey, ProjectInput, ProjectUpdate } from '../contract/management.js';
import type { ProjectWire } from '../contract/project.js';

/** Projects: each has its own keys, plans, subscribers and webhook endpoints. */
export interface ProjectFunctions {
  /**
   * Creates a project, of the `business` tier unless the input says otherwise. Keep its `id`: `billing.project(id)` takes it.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const project = await billing.projects.create({ name: 'My shop' });
   * const shop = billing.project(project.id);
   */
  create(input: ProjectInput): Promise<ProjectWire>;
  /**
   * Changes a project; a field that is left out stays as it is. Over the new tier's limit of seats, or over the project's own
   * (`subscriber_limit`; null for the tier's), the wallets that were confirmed last are parked; with more room, parked ones
   * return. Late subscriptions get the retries of the new tier.
   *
   * Refuses with `invalid_request` and `not_found`.
   *
   * @example
   * await billing.projects.update(projectId, { tier: 'dev', subscriber_limit: 500 });
   */
  update(projectId: string, changes: ProjectUpdate): Promise<ProjectWire>;
  /**
   * Lists every project.
   *
   * @example
   * for (const { id, name, tier } of await billing.projects.list()) console.log(id, name, tier);
   */
  list(): Promise<readonly ProjectWire[]>;
}

/** The API keys of a project: whoever holds one may call the HTTP routes for the project. */
export interface ProjectKeyFunctions {
  /**
   * Creates an API key. The result is the only time that the key is shown: only its hash is stored.
   *
   * Refuses with `not_found`.
   *
   * @example
   * const { id, key } = await shop.keys.create();
   * // `key` goes to whoever calls the routes; keep `id`, with which the key is revoked.
   */
  create(): Promise<NewApiKey>;
}

/** API keys by their own id. */
export interface KeyFunctions {
  /**
   * Revokes an API key at once. A key that is unknown or revoked already is left as it is.
   *
   * @example
   * const { id } = await shop.keys.create();
   * await billing.keys.revoke(id);
   */
  revoke(keyId: string): Promise<void>;
}
