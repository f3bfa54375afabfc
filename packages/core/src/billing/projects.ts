import type {
  ApiKeyInput,
  ApiKeyRotation,
  ApiKeyWire,
  ManagedProject,
  NewApiKey,
  ProjectInput,
  ProjectUpdate,
} from '../contract/management.js';
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
  create(input: ProjectInput): Promise<ManagedProject>;
  /**
   * Lists every project.
   *
   * @example
   * for (const { id, name, tier } of await billing.projects.list()) console.log(id, name, tier);
   */
  list(): Promise<readonly ManagedProject[]>;
}

/** The project itself. Each function refuses with `not_found` when there is none with its id. */
export interface OneProjectFunctions {
  /**
   * Reads the project as the holder of its key sees it. Refuses with `not_found`.
   *
   * @example
   * const { name, tier } = await shop.retrieve();
   */
  retrieve(): Promise<ProjectWire>;
  /**
   * Reads the project with its limits and addresses: `limits` are those that apply, null without a limit. Refuses with
   * `not_found`.
   *
   * @example
   * const { limits, cancel_url } = await shop.detail();
   */
  detail(): Promise<ManagedProject>;
  /**
   * Changes the project; a field that is left out stays as it is. Over the new tier's limit of seats, or over the project's own
   * (`subscriber_limit`; null for the tier's), the wallets that were confirmed last are parked; with more room, parked ones
   * return. Late subscriptions get the retries of the new tier. A lower limit of published plans (`published_plans_limit`; null
   * for the tier's) leaves those that are published.
   *
   * Refuses with `invalid_request` and `not_found`.
   *
   * @example
   * await shop.update({ tier: 'dev', subscriber_limit: 500 });
   */
  update(changes: ProjectUpdate): Promise<ManagedProject>;
  /**
   * Deletes the project with its API keys. Only one that never had a plan or an endpoint can be deleted.
   *
   * Refuses with `conflict` and `not_found`.
   *
   * @example
   * const { id } = await billing.projects.create({ name: 'A trial' });
   * await billing.project(id).delete();
   */
  delete(): Promise<void>;
}

/** The API keys of a project: whoever holds one may call the HTTP routes for the project. */
export interface ProjectKeyFunctions {
  /**
   * Creates an API key, with a name of 1 to 64 characters or without one. The result is the only time that the key is shown:
   * only its hash is stored. Other keys of the project stay as they are.
   *
   * Refuses with `invalid_request` and `not_found`.
   *
   * @example
   * const { id, key } = await shop.keys.create({ name: 'Web server' });
   * // `key` goes to whoever calls the routes; keep `id`, with which the key is rotated and revoked.
   */
  create(input?: ApiKeyInput): Promise<NewApiKey>;
  /**
   * Lists every key without its text, newest first, revoked ones too. `last_used_at` is to the minute. Refuses with
   * `not_found`.
   *
   * @example
   * const unused = (await shop.keys.list()).filter(({ last_used_at }) => last_used_at === null);
   */
  list(): Promise<readonly ApiKeyWire[]>;
  /**
   * Replaces a key by a new one with the same name. The old one ends at once, or after `overlap_hours` (0 to 24). The result is
   * the only time that the new key is shown.
   *
   * Refuses with `invalid_request`, `not_found`, or `conflict` for a key that was revoked or replaced already.
   *
   * @example
   * const { id } = await shop.keys.create({ name: 'Web server' });
   * const { key } = await shop.keys.rotate(id, { overlap_hours: 1 });
   * // Within the hour, `key` goes to everyone who has the old one.
   */
  rotate(keyId: string, rotation?: ApiKeyRotation): Promise<NewApiKey>;
  /**
   * Revokes a key at once. One that is revoked already is left as it is. Refuses with `not_found`.
   *
   * @example
   * const { id } = await shop.keys.create();
   * await shop.keys.revoke(id);
   */
  revoke(keyId: string): Promise<void>;
}
