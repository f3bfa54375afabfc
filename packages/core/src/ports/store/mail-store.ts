import type { MailState } from '../../contract/enums.js';
import type {
  Mail,
  MailId,
  MailSettings,
  ProjectId,
  RefusedAddress,
  SubscriptionId,
} from '../../records/index.js';
import type { Batch, BatchCursor } from './batch.js';
import type { Page, PageRequest } from './page.js';
import type { WithUnreadable } from './unreadable-record.js';

/** The mails that a caller claimed. */
interface ClaimedMails extends WithUnreadable {
  readonly mails: readonly Mail[];
}

/** The mails that are listed. A null field filters nothing. */
export interface MailFilter {
  readonly state: MailState | null;
  readonly subscriptionId: SubscriptionId | null;
}

/** A capability: the mails to customers. `commit` writes them, in the same step as the change they tell. */
export interface MailStore {
  /**
   * Claims pending mails whose `nextAttemptAt` is at or before `now`, soonest first and by id within one
   * instant, at most `limit`: sets their `nextAttemptAt` to `until`, and returns them as they are then. Of N
   * racing callers each mail goes to exactly one. Unreadable ones are claimed too, so that they hold up no
   * other.
   */
  claimMails(now: Date, limit: number, until: Date): Promise<ClaimedMails>;
  /**
   * Writes a mail after a try. `lost`, and nothing is written, when it does not exist, is no longer pending,
   * or its stored `nextAttemptAt` is not `claimedUntil`.
   */
  settleMail(mail: Mail, claimedUntil: Date): Promise<'settled' | 'lost'>;
  /**
   * Makes a mail of the project that is `failed`, `refused` or `left_out` pending anew, due at `at`, without
   * tries and without an error, and returns it; null for any other. Of N racing callers one gets it.
   */
  resendMail(projectId: ProjectId, id: MailId, at: Date): Promise<Mail | null>;
  /**
   * Makes at most `limit` pending mails due at `at` that wait by a clock that was ahead, of all projects, and
   * returns how many. They are those that have no tries and a `nextAttemptAt` later than `untriedAfter`, and
   * those with one later than `after`, which is not before `untriedAfter`.
   */
  hastenMails(untriedAfter: Date, after: Date, at: Date, limit: number): Promise<number>;
  /** Returns the project's mail with this id; null for none or another project's. */
  findMail(projectId: ProjectId, id: MailId): Promise<Mail | null>;
  /** Lists the mails of a project that the filter takes, by `createdAt`, newest first, then by id. */
  listMails(
    projectId: ProjectId,
    filter: MailFilter,
    page: PageRequest<MailId>,
  ): Promise<Page<Mail> | 'unknown_cursor'>;
  /** Stores the settings of a project's mails in place of what was stored. Of N callers one stays. */
  saveMailSettings(settings: MailSettings): Promise<void>;
  /** Returns the settings of a project's mails; null when nothing was stored. */
  findMailSettings(projectId: ProjectId): Promise<MailSettings | null>;
  /** Sets an address aside. Of N calls for one project and address the first stays. */
  refuseAddress(refused: RefusedAddress): Promise<void>;
  /** Returns what is stored of an address that was set aside; null for none. */
  findRefusedAddress(projectId: ProjectId, address: string): Promise<RefusedAddress | null>;
  /** Returns the addresses that a project set aside, newest first, then by address; at most `limit`. */
  listRefusedAddresses(projectId: ProjectId, limit: number): Promise<readonly RefusedAddress[]>;
  /** Takes an address back, and says whether it was set aside. */
  acceptAddress(projectId: ProjectId, address: string): Promise<boolean>;
  /** Deletes settled mails by their `settledAt`, in batches as those of `RetentionStore`. */
  deleteMails(settledBefore: Date, limit: number, after: BatchCursor | null): Promise<Batch>;
}
