import type {
  ApiKey,
  Attempt,
  ChainIdentity,
  Delivery,
  Endpoint,
  Plan,
  Project,
  SignedTerms,
  Subscription,
  SubscriptionEvent,
  Transfer,
} from '@subrail/core/ports';
import type { Journal } from './journal.js';
import { Table } from './table.js';

/** The tables of the store: one for each kind of record, with its unique indexes and the groups that queries use. */
export type Tables = ReturnType<typeof createTables>;

export function createTables(journal: Journal) {
  return {
    // All rows have one id, so there is at most one.
    chainIdentity: new Table<ChainIdentity, never, never>(journal, () => 'chain', {}, {}),
    projects: new Table<Project, never, never>(journal, (row) => row.id, {}, {}),
    apiKeys: new Table<ApiKey, 'hash', never>(journal, (row) => row.id, { hash: (row) => [row.hash] }, {}),
    // A plan whose creation never landed frees its name and slug; a closed plan keeps them, because subscriptions name
    // it (plans#fields-of-a-plan).
    plans: new Table<Plan, 'name' | 'slug', 'project'>(
      journal,
      (row) => row.id,
      {
        name: (row) => (row.status === 'failed' ? null : [row.projectId, row.name]),
        slug: (row) => (row.status === 'failed' ? null : [row.projectId, row.slug]),
      },
      { project: (row) => [row.projectId] },
      { at: (row) => row.nextCheckAt, group: () => 'all' },
    ),
    subscriptions: new Table<
      Subscription,
      'running' | 'pending',
      'project' | 'runningOfPlan' | 'planAndWallet' | 'wallet' | 'external_id' | 'email'
    >(
      journal,
      (row) => row.id,
      {
        running: (row) =>
          row.status === 'active' || row.status === 'unpaid' ? [row.planId, row.wallet] : null,
        pending: (row) => (row.status === 'pending' ? [row.planId, row.wallet, ...customerOf(row)] : null),
      },
      {
        project: (row) => [row.projectId],
        runningOfPlan: (row) => (isRunning(row) ? [row.planId] : null),
        planAndWallet: (row) => [row.planId, row.wallet],
        wallet: (row) => [row.projectId, row.wallet],
        external_id: (row) => (row.externalId === null ? null : [row.projectId, row.externalId]),
        email: (row) => (row.email === null ? null : [row.projectId, row.email]),
      },
      { at: (row) => row.wakeAt, group: (row) => row.projectId },
      (row) => row.accessEndsAt,
    ),
    transfers: new Table<Transfer, 'open' | 'landed' | 'signature', 'subscription'>(
      journal,
      (row) => row.id,
      {
        open: (row) => (row.state === 'open' ? [row.subscriptionId] : null),
        // A subscribing transfer may have no period yet, and a subscription has at most one such transfer.
        landed: (row) =>
          row.state === 'landed' ? [row.subscriptionId, row.periodStart?.getTime() ?? 'first'] : null,
        signature: (row) => [row.signature, row.paymentIndex],
      },
      { subscription: (row) => [row.subscriptionId] },
    ),
    attempts: new Table<Attempt, 'paid', 'subscription'>(
      journal,
      (row) => row.id,
      {
        paid: (row) =>
          row.outcome === 'paid' && row.periodStart !== null
            ? [row.subscriptionId, row.periodStart.getTime()]
            : null,
      },
      { subscription: (row) => [row.subscriptionId] },
    ),
    signedTerms: new Table<SignedTerms, never, 'subscription'>(
      journal,
      (row) => `${row.subscriptionId}.${row.signature}`,
      {},
      { subscription: (row) => [row.subscriptionId] },
    ),
    events: new Table<SubscriptionEvent, 'sequence', 'project' | 'subscription' | 'held'>(
      journal,
      (row) => row.id,
      { sequence: (row) => [row.subscriptionId, row.sequence] },
      {
        project: (row) => [row.projectId],
        subscription: (row) => [row.subscriptionId],
        held: (row) => (row.heldState === null ? null : ['held']),
      },
    ),
    endpoints: new Table<Endpoint, 'url', 'project'>(
      journal,
      (row) => row.id,
      { url: (row) => [row.projectId, row.url] },
      { project: (row) => [row.projectId] },
    ),
    deliveries: new Table<Delivery, 'eventAndEndpoint', 'event' | 'endpoint' | 'state'>(
      journal,
      (row) => row.id,
      { eventAndEndpoint: (row) => [row.eventId, row.endpointId] },
      { event: (row) => [row.eventId], endpoint: (row) => [row.endpointId], state: (row) => [row.state] },
    ),
  };
}

/** Whether a subscription runs on chain as far as the records know. */
function isRunning({ status }: Subscription): boolean {
  return status === 'active' || status === 'unpaid' || status === 'cancelled';
}

/**
 * The customer of a pending checkout: its external id, else its email, else none. A wallet has at most one pending
 * checkout for each plan and customer (checkout#repeated-create-is-idempotent).
 */
function customerOf(row: Subscription): readonly string[] {
  if (row.externalId !== null) return ['external_id', row.externalId];
  return row.email !== null ? ['email', row.email] : [];
}
