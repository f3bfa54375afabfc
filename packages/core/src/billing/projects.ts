import type { NewApiKey, ProjectInput } from '../contract/management.js';
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
