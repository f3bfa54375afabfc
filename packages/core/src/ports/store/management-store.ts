import type {
  AuditEntry,
  AuditEntryId,
  AuditEntryOutcome,
  ApiKey,
  ApiKeyId,
  Delivery,
  DeliveryAttempt,
  DeliveryId,
  EndpointId,
  EventId,
  ManagementKey,
  ManagementKeyId,
  Project,
  ProjectId,
  Subscription,
} from '../../records/index.js';
import type { EndpointList } from './endpoint-store.js';
import type { Page, PageRequest } from './page.js';

/** The audit entries to list: those with every value that is not null. */
interface AuditEntryFilter {
  readonly projectId: ProjectId | null;
  readonly subject: string | null;
}

/** Some of the endpoints of all projects. */
export interface EndpointBatch extends EndpointList {
  /** The last id, when there are as many endpoints as the limit; else null. */
  readonly next: EndpointId | null;
}

/** The place of a subscription among all of its project, oldest first. */
export type SubscriptionPlace = Pick<Subscription, 'createdAt' | 'id'>;

/**
 * A capability: stores what operators change and look up. It changes and deletes projects, keeps API keys and
 * management keys with their last use, sends deliveries by hand, and has the audit log.
 */
export interface ManagementStore {
  /** Replaces the project with this id. Throws when there is none. Of racing calls the last wins, whole. */
  updateProject(project: Project): Promise<void>;
  /**
   * Deletes a project that never had a plan or an endpoint, with its keys, with the sessions and links of a
   * `SessionStore`, with the seller of a `ReportStore`, and with the settings and refused addresses of a
   * `MailStore`; it never had a mail.
   * `in_use` means that it has a plan or an endpoint, also a failed or deleted one, and nothing was deleted.
   * Ignores an unknown id.
   */
  deleteProject(id: ProjectId): Promise<'deleted' | 'in_use'>;
  /**
   * Returns the late (unpaid) subscriptions of the project, parked or not, that follow `after`, by
   * `createdAt` and by id within one instant, at most `limit`: fewer only when no more follow. It must take
   * no longer than `limit` allows, however many are late or not.
   */
  listLate(
    projectId: ProjectId,
    after: SubscriptionPlace | null,
    limit: number,
  ): Promise<readonly Subscription[]>;

  /** Returns every key of the project, newest first, revoked ones too. */
  listApiKeys(projectId: ProjectId): Promise<readonly ApiKey[]>;
  /**
   * Records when a key was last used. Of racing calls the latest instant wins, whatever their order:
   * `lastUsedAt` never goes back. Does nothing for an unknown key.
   */
  touchApiKey(id: ApiKeyId, at: Date): Promise<void>;
  /**
   * Revokes a key. Of N calls the first sets `revokedAt`, and the others change nothing. Does nothing for an
   * unknown key.
   */
  revokeApiKey(id: ApiKeyId, at: Date): Promise<void>;
  /**
   * Sets `expiresAt` of a key that has none and was not revoked. `lost` means that there is no such key, and
   * nothing was written. Of N racing callers exactly one gets `expired`.
   */
  expireApiKey(id: ApiKeyId, at: Date): Promise<'expired' | 'lost'>;

  /**
   * Returns undeleted endpoints of all projects, in the order of their ids, at most `limit`, unreadable ones
   * included: the first ones when `after` is null, else those whose ids follow `after`, which need not exist.
   */
  listEndpointsAfter(after: EndpointId | null, limit: number): Promise<EndpointBatch>;
  /**
   * Inserts deliveries, and returns those that it inserted: it leaves out each whose event has one to that
   * endpoint. Throws when an id is taken.
   */
  insertDeliveries(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  /**
   * Makes deliveries of these events to the endpoint, in one of the given states, pending and due at `at`;
   * `attemptsBefore` becomes `attempts`. A delivery that waits for a held event, pending without a
   * `nextAttemptAt`, stays as it is. Returns how many it changed.
   */
  resendDeliveries(
    endpointId: EndpointId,
    eventIds: readonly EventId[],
    states: readonly Delivery['state'][],
    at: Date,
  ): Promise<number>;
  /** Returns the endpoint's test deliveries created at `since` or later, newest first. */
  listTestDeliveries(endpointId: EndpointId, since: Date): Promise<readonly Delivery[]>;
  /**
   * Makes every pending test delivery created before `createdBefore` `failed`, of all endpoints in one step:
   * `lastExcerpt` is `excerpt`, and `settledAt` is `at`. Other deliveries stay. Returns how many it failed.
   */
  failUnfinishedTests(createdBefore: Date, excerpt: string, at: Date): Promise<number>;
  /** Returns the project's delivery with this id; null for none or another project's. */
  findDelivery(projectId: ProjectId, id: DeliveryId): Promise<Delivery | null>;
  /** Returns the attempts of a delivery, the first one first. */
  listDeliveryAttempts(id: DeliveryId): Promise<readonly DeliveryAttempt[]>;
  /** Returns the deliveries of an event, newest first. */
  listDeliveries(eventId: EventId): Promise<readonly Delivery[]>;

  /** Inserts a key, with the promises of `insertApiKey`. */
  insertManagementKey(key: ManagementKey): Promise<void>;
  /** Returns the key with this hash; null when there is none or it was revoked. */
  findManagementKey(hash: string): Promise<ManagementKey | null>;
  /** Returns every key, revoked ones too, newest first. */
  listManagementKeys(): Promise<readonly ManagementKey[]>;
  /** Records when a key was last used, with the promises of `touchApiKey`. */
  touchManagementKey(id: ManagementKeyId, at: Date): Promise<void>;
  /** Revokes a key, with the promises of `revokeApiKey`. */
  revokeManagementKey(id: ManagementKeyId, at: Date): Promise<void>;

  /** Inserts an audit entry. Throws when its id is taken. */
  insertAuditEntry(entry: AuditEntry): Promise<void>;
  /**
   * Writes the outcome and the subject of an audit entry. Of N calls for one entry the first one counts, and
   * the others change nothing. Does nothing for an unknown entry.
   */
  completeAuditEntry(id: AuditEntryId, subject: string | null, outcome: AuditEntryOutcome): Promise<void>;
  /** Returns a page of the audit entries, newest first. */
  listAuditEntries(
    filter: AuditEntryFilter,
    page: PageRequest<AuditEntryId>,
  ): Promise<Page<AuditEntry> | 'unknown_cursor'>;
}
