import type { ApiKey, Project, ProjectId } from '../../records/index.js';

/** Stores projects and the hashes of their API keys. */
export interface ProjectStore {
  /** Inserts a project. Throws when its id is taken. */
  insertProject(project: Project): Promise<void>;
  /** Returns the project with this id, or null. */
  findProject(id: ProjectId): Promise<Project | null>;
  /** Returns every project, newest first. */
  listProjects(): Promise<readonly Project[]>;

  /**
   * Inserts a key. Throws when its id or its hash is taken, also by a revoked key: of N callers with one hash
   * exactly one succeeds.
   */
  insertApiKey(key: ApiKey): Promise<void>;
  /**
   * Returns the key with this hash and its project; null when there is none or it was revoked. A key whose
   * `expiresAt` has passed is returned: the caller knows the time.
   */
  findApiKey(hash: string): Promise<{ readonly key: ApiKey; readonly project: Project } | null>;
}
