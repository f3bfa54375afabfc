import type {
  Act,
  ActId,
  ActOutcome,
  ManagementKey,
  ManagementKeyId,
  ProjectId,
} from '../../records/index.js';
import type { Page, PageRequest } from './page.js';

/** Which acts to list: those that have every value which is not null. */
export interface ActFilter {
  readonly projectId: ProjectId | null;
  readonly subject: string | null;
}

/** Stores the hashes of management keys, and the audit log. */
export interface ManagementStore {
  /** Inserts a key. Throws when its id or its hash is taken: of N callers with one hash exactly one succeeds. */
  insertManagementKey(key: ManagementKey): Promise<void>;
  /** Returns the key with this hash; null when there is none or it was revoked. */
  findManagementKey(hash: string): Promise<ManagementKey | null>;
  /** Returns every key, revoked ones too, newest first. */
  listManagementKeys(): Promise<readonly ManagementKey[]>;
  /** Records when a key was last used, with the promises of `touchApiKey`. */
  touchManagementKey(id: ManagementKeyId, at: Date): Promise<void>;
  /** Revokes a key, with the promises of `revokeApiKey`. */
  revokeManagementKey(id: ManagementKeyId, at: Date): Promise<void>;

  /** Inserts an act. Throws when its id is taken. */
  insertAct(act: Act): Promise<void>;
  /**
   * Writes how an act ended, and what it acted on. Of N calls for one act the first one counts, and the others change nothing.
   * Does nothing for an unknown act.
   */
  settleAct(id: ActId, subject: string | null, outcome: ActOutcome): Promise<void>;
  /** Returns a page of the acts, newest first. */
  listActs(filter: ActFilter, page: PageRequest<ActId>): Promise<Page<Act> | 'unknown_cursor'>;
}
