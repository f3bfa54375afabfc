import type {
  Link,
  LinkId,
  Project,
  ProjectId,
  ProjectLook,
  Session,
  SessionId,
  SessionSubscription,
  Subscription,
  SubscriptionId,
} from '../../records/index.js';
import type { Batch, BatchCursor } from './batch.js';

/** A capability: the sessions of customers' pages, and the plan links that open them. */
export interface SessionStore {
  /** Inserts a session. Throws when its id or its `secretHash` is taken. */
  insertSession(session: Session): Promise<void>;
  /** Returns the project's session with this id; null for none or another project's. */
  findSession(projectId: ProjectId, id: SessionId): Promise<Session | null>;
  /** Returns the session with this `secretHash` and its project, or null. An expired one is returned too. */
  findSessionBySecret(
    secretHash: string,
  ): Promise<{ readonly session: Session; readonly project: Project } | null>;
  /**
   * Stores that a session built something for a subscription. Of N callers the latest `reservedAt` stays. A
   * row that was submitted stays as it is. Does nothing for a session that is not stored. The subscription
   * may be deleted later, and its row stays.
   */
  reserveForSession(row: Omit<SessionSubscription, 'submittedAt'>): Promise<void>;
  /**
   * Stores when a session submitted a subscription. A row that is missing is inserted, reserved at the same
   * instant. Of N calls the first sets `submittedAt`, and the others change nothing. Does nothing for a
   * session that is not stored.
   */
  submitForSession(sessionId: SessionId, subscriptionId: SubscriptionId, at: Date): Promise<void>;
  /** Returns the subscriptions of a session, by `reservedAt`, newest first, then by id. */
  listSessionSubscriptions(sessionId: SessionId): Promise<readonly SessionSubscription[]>;
  /**
   * Reads the pending subscriptions of a project that a link reserved (`reservedByLink`) and of which no
   * signed terms are stored: how many there are, and one whose `checkoutExpiresAt` is the earliest.
   */
  readPendingOfLinks(
    projectId: ProjectId,
  ): Promise<{ readonly count: number; readonly oldest: Subscription | null }>;
  /** Stores how the pages of a project look, in place of what was stored. Of N callers one stays. */
  saveProjectLook(look: ProjectLook): Promise<void>;
  /** Returns how the pages of a project look; null when nothing was stored. */
  findProjectLook(projectId: ProjectId): Promise<ProjectLook | null>;
  /** Inserts a link. Throws when its id is taken. */
  insertLink(link: Link): Promise<void>;
  /** Returns the link with this id, of any project, ended ones too; or null. */
  findLink(id: LinkId): Promise<Link | null>;
  /** Returns every link of a project, newest first. */
  listLinks(projectId: ProjectId): Promise<readonly Link[]>;
  /**
   * Ends a link, unless it has an end, and returns it as stored; null for none or another project's. Of N
   * calls the first sets `endedAt`.
   */
  endLink(projectId: ProjectId, id: LinkId, at: Date): Promise<Link | null>;
  /**
   * Deletes sessions that a link opened and that submitted nothing, by `expiresAt`, with the rows of their
   * subscriptions. It is a batch of the daily upkeep, as those of `RetentionStore`. A session that submits
   * something meanwhile stays.
   */
  deleteUnusedVisits(expiredBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
  /**
   * Deletes sessions by `expiresAt`, with the rows of their subscriptions, in batches as the method above.
   */
  deleteSessions(expiredBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
}
