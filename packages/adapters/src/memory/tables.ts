import type {
  AuditEntry,
  DayFigures,
  Movement,
  ApiKey,
  Attempt,
  ChainIdentity,
  Delivery,
  DeliveryAttempt,
  Endpoint,
  EndpointId,
  Link,
  Mail,
  MailSettings,
  ProjectLook,
  Refund,
  RefusedAddress,
  Seller,
  ManagementKey,
  Plan,
  Project,
  ProjectId,
  Session,
  SessionSubscription,
  SignedTerms,
  Subscription,
  SubscriptionEvent,
  Transfer,
} from '@subrail/core/ports';
import type { Journal } from './journal.js';
import { Table } from './table.js';

interface EndpointLease {
  readonly endpointId: EndpointId;
  readonly until: Date;
}

/** The number of the last receipt of a project. */
interface ReceiptCounter {
  readonly projectId: ProjectId;
  readonly last: number;
}

/** A table for each kind of record, with its unique indexes and groups. */
export type Tables = ReturnType<typeof createTables>;

/** An attempt of a delivery has no id. */
export function attemptKey({ deliveryId, number }: DeliveryAttempt): string {
  return `${deliveryId}.${number}`;
}

/** Figures are found by their plan and day. */
export function figuresKey({ planId, day }: Pick<DayFigures, 'planId' | 'day'>): string {
  return `${planId}.${day.getTime()}`;
}

/** A refused address has no id. */
export function refusedAddressKey({
  projectId,
  address,
}: Pick<RefusedAddress, 'projectId' | 'address'>): string {
  return `${projectId}.${address}`;
}

/** A subscription of a session has no id. */
export function sessionSubscriptionKey({
  sessionId,
  subscriptionId,
}: Pick<SessionSubscription, 'sessionId' | 'subscriptionId'>): string {
  return `${sessionId}.${subscriptionId}`;
}

export function createTables(journal: Journal) {
  return {
    // One id, so at most one row.
    chainIdentity: new Table(journal, (_: ChainIdentity) => 'chain'),
    projects: new Table(journal, (row: Project) => row.id),
    apiKeys: new Table(journal, (row: ApiKey) => row.id, {
      unique: { hash: (row) => [row.hash] },
      groups: { project: (row) => [row.projectId] },
    }),
    managementKeys: new Table(journal, (row: ManagementKey) => row.id, {
      unique: { hash: (row) => [row.hash] },
    }),
    sessions: new Table(journal, (row: Session) => row.id, {
      unique: { secretHash: (row) => [row.secretHash] },
      groups: { project: (row) => [row.projectId] },
    }),
    sessionSubscriptions: new Table(journal, (row: SessionSubscription) => sessionSubscriptionKey(row), {
      groups: { session: (row) => [row.sessionId] },
    }),
    links: new Table(journal, (row: Link) => row.id, { groups: { project: (row) => [row.projectId] } }),
    projectLooks: new Table(journal, (row: ProjectLook) => row.projectId),
    auditEntries: new Table(journal, (row: AuditEntry) => row.id),
    plans: new Table(journal, (row: Plan) => row.id, {
      // A plan that never landed frees its name and slug; a closed plan keeps them, because subscriptions
      // name it (plans#fields-of-a-plan).
      unique: {
        name: (row) => (row.status === 'failed' ? null : [row.projectId, row.name]),
        slug: (row) => (row.status === 'failed' ? null : [row.projectId, row.slug]),
      },
      groups: { project: (row) => [row.projectId] },
      due: { at: (row) => row.nextCheckAt, group: () => 'all' },
    }),
    subscriptions: new Table(journal, (row: Subscription) => row.id, {
      unique: {
        running: (row) =>
          row.status === 'active' || row.status === 'unpaid' ? [row.planId, row.wallet] : null,
        pending: (row) =>
          row.status === 'pending' ? [row.planId, row.wallet, row.previousId ?? '', ...ownerOf(row)] : null,
      },
      groups: {
        project: (row) => [row.projectId],
        runningOfPlan: (row) => (isRunning(row) ? [row.planId] : null),
        planAndWallet: (row) => [row.planId, row.wallet],
        wallet: (row) => [row.projectId, row.wallet],
        external_id: (row) => (row.externalId === null ? null : [row.projectId, row.externalId]),
        email: (row) => (row.email === null ? null : [row.projectId, row.email]),
        paidByWallet: (row) => (row.confirmedAt === null ? null : [row.wallet]),
      },
      due: { at: (row) => row.wakeAt, group: (row) => row.projectId },
      endsAt: (row) => row.accessEndsAt,
    }),
    transfers: new Table(journal, (row: Transfer) => row.id, {
      unique: {
        open: (row) => (row.state === 'open' ? [row.subscriptionId] : null),
        // A subscribing transfer may have no period yet; a subscription has at most one.
        landed: (row) =>
          row.state === 'landed' ? [row.subscriptionId, row.periodStart?.getTime() ?? 'first'] : null,
        signature: (row) => [row.signature, row.paymentIndex],
      },
      groups: { subscription: (row) => [row.subscriptionId] },
    }),
    attempts: new Table(journal, (row: Attempt) => row.id, {
      unique: {
        paid: (row) =>
          row.outcome === 'paid' && row.periodStart !== null
            ? [row.subscriptionId, row.periodStart.getTime()]
            : null,
      },
      groups: { subscription: (row) => [row.subscriptionId] },
    }),
    receiptCounters: new Table(journal, (row: ReceiptCounter) => row.projectId),
    sellers: new Table(journal, (row: Seller) => row.projectId),
    refunds: new Table(journal, (row: Refund) => `${row.signature} ${row.attemptId}`, {
      groups: { attempt: (row) => [row.attemptId], signature: (row) => [row.signature] },
    }),
    movements: new Table(journal, (row: Movement) => row.id, {
      groups: { project: (row) => [row.projectId] },
    }),
    figures: new Table(journal, (row: DayFigures) => figuresKey(row), {
      groups: { project: (row) => [row.projectId] },
    }),
    mails: new Table(journal, (row: Mail) => row.id, {
      groups: { project: (row) => [row.projectId] },
      due: { at: (row) => row.nextAttemptAt, group: () => 'all' },
    }),
    mailSettings: new Table(journal, (row: MailSettings) => row.projectId),
    refusedAddresses: new Table(journal, (row: RefusedAddress) => refusedAddressKey(row), {
      groups: { project: (row) => [row.projectId] },
    }),
    signedTerms: new Table(journal, (row: SignedTerms) => `${row.subscriptionId}.${row.signature}`, {
      groups: { subscription: (row) => [row.subscriptionId] },
    }),
    events: new Table(journal, (row: SubscriptionEvent) => row.id, {
      unique: { sequence: (row) => [row.subscriptionId, row.sequence] },
      groups: {
        project: (row) => [row.projectId],
        subscription: (row) => [row.subscriptionId],
        held: (row) => (row.heldState === null ? null : ['held']),
      },
    }),
    endpoints: new Table(journal, (row: Endpoint) => row.id, {
      unique: { url: (row) => (row.deletedAt === null ? [row.projectId, row.url] : null) },
      groups: { project: (row) => (row.deletedAt === null ? [row.projectId] : null) },
    }),
    endpointLeases: new Table(journal, (row: EndpointLease) => row.endpointId),
    deliveries: new Table(journal, (row: Delivery) => row.id, {
      unique: { eventAndEndpoint: (row) => (row.eventId === null ? null : [row.eventId, row.endpointId]) },
      groups: {
        project: (row) => [row.projectId],
        event: (row) => (row.eventId === null ? null : [row.eventId]),
        pendingOfEndpoint: (row) => (row.state === 'pending' ? [row.endpointId] : null),
        testsOfEndpoint: (row) => (row.eventId === null ? [row.endpointId] : null),
      },
      due: { at: (row) => row.nextAttemptAt, group: (row) => row.endpointId },
    }),
    deliveryAttempts: new Table(journal, attemptKey, { groups: { delivery: (row) => [row.deliveryId] } }),
  };
}

/** Whether the records know the subscription as running on chain. */
export function isRunning({ status }: Subscription): boolean {
  return status === 'active' || status === 'unpaid' || status === 'cancelled';
}

/**
 * The owner of a pending checkout: the session that reserves it, else its external id, else its email, else
 * nobody. A wallet has one pending checkout for each plan and owner (checkout#repeated-create-is-idempotent).
 */
function ownerOf(row: Subscription): readonly string[] {
  if (row.reservedFor !== null) return ['session', row.reservedFor];
  if (row.externalId !== null) return ['external_id', row.externalId];
  return row.email !== null ? ['email', row.email] : [];
}
