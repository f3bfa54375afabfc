import type { ApiKey, ApiKeyId, Project, ProjectId } from '../../records/index.js';

/** Stores projects and the hashes of their API keys. */
export interface ProjectStore {
  /** Inserts a project. Throws when its id is taken. */
  insertProject(project: Project): Promise<void>;
  /** Returns the project with this id, or null. */
  findProject(id: ProjectId): Promise<Project | null>;
  /**
   * Replaces the stored project that has this id. Throws when there is none. Of racing calls the last one wins, whole.
   */
  updateProject(project: Project): Promise<void>;
  /** Returns every project, newest first. */
  listProjects(): Promise<readonly Project[]>;
  /**
   * Deletes a project that never had a plan or an endpoint, with its keys. `in_use` means that it has one, also one that
   * failed or was deleted, and nothing was deleted. Ignores an unknown id.
   */
  deleteProject(id: ProjectId): Promise<'deleted' | 'in_use'>;

  /** Inserts a key. Throws when its id or its hash is taken: of N callers with one hash exactly one succeeds. */
  insertApiKey(key: ApiKey): Promise<void>;
  /**
   * Returns the key with this hash and its project; null when there is none or it was revoked. A key whose `expiresAt` has
   * passed is found: the caller knows the time.
   */
  findApiKey(hash: string): Promise<{ readonly key: ApiKey; readonly project: Project } | null>;
  /** Returns every key of the project, newest first, by id within one instant, revoked ones too. */
  listApiKeys(projectId: ProjectId): Promise<readonly ApiKey[]>;
  /**
   * Records when a key was last used. Of racing calls the latest instant wins, whatever their order: `lastUsedAt` never
   * goes back. Does nothing for an unknown key.
   */
  touchApiKey(id: ApiKeyId, at: Date): Promise<void>;
  /**
   * Revokes a key. Idempotent: of N calls the first sets `revokedAt`, and the others change nothing. Does nothing for an
   * unknown key.
   */
  revokeApiKey(id: ApiKeyId, at: Date): Promise<void>;
  /**
   * Sets `expiresAt` of a key that has none and was not revoked. `lost` means that there is no such key, and nothing was
   * written. Of N racing callers exactly one gets `expired`.
   */
  expireApiKey(id: ApiKeyId, at: Date): Promise<'expired' | 'lost'>;
}
