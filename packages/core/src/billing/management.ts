import type {
  ActPage,
  ActsQueryInput,
  ManagementKeyInput,
  ManagementKeyWire,
  NewManagementKey,
} from '../contract/management-access.js';

/** Who may manage over HTTP, and what was done. */
export interface ManagementFunctions {
  /**
   * Creates a management key, with which its holder calls the routes under `/manage/v1`: those that read, or all with access
   * `write`. The result is the only time that the key is shown.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const { id, key } = await billing.management.createKey({ name: 'Dashboard', access: 'read' });
   */
  createKey(input: ManagementKeyInput): Promise<NewManagementKey>;
  /**
   * Lists every management key without its text, newest first, revoked ones too.
   *
   * @example
   * for (const { id, name, last_used_at } of await billing.management.listKeys()) console.log(id, name, last_used_at);
   */
  listKeys(): Promise<readonly ManagementKeyWire[]>;
  /**
   * Revokes a management key at once. One that is revoked already is left as it is. Refuses with `not_found`.
   *
   * @example
   * const { id } = await billing.management.createKey({ name: 'Contractor', access: 'read' });
   * await billing.management.revokeKey(id);
   */
  revokeKey(keyId: string): Promise<void>;
  /**
   * Lists the audit log, newest first: every act of management on this store, by whom, when, on what and with which outcome.
   * `project` and `subject` (an id, or the slug of a plan) filter it.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const { data } = await billing.management.acts({ project: projectId });
   * for (const { created_at, actor, operation, subject } of data) console.log(created_at, actor, operation, subject);
   */
  acts(query?: ActsQueryInput): Promise<ActPage>;
}
