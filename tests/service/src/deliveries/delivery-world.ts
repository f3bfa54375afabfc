import type { Billing, BillingPorts } from '@subrail/core';
import type { EndpointWithSecret, EventType } from '@subrail/core/schemas';
import type { Chain, Endpoint, SubscriptionEvent, Project, FullStore } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  ManualClock,
  partialPort,
  type RecordingSender,
} from '@subrail/core/testing';
import { createCrypto } from '@subrail/adapters/node';
import {
  createBillingWithDefaults,
  openTestStore,
  withCallsCounted,
  type TestLog,
  type TestStoreChoice,
} from '@subrail/test-world';
import { onTestFinished } from 'vitest';

export const NOW = new Date('2026-10-02T08:30:00.000Z');
export const EVERYTHING: readonly EventType[] = ['subscription.created', 'subscription.renewed'];
export const SEALING_KEY = new Uint8Array(32).fill(7);

/** A service for deliveries, without a chain: a project of subscriptions with events, a manual clock. */
export interface DeliveryWorld {
  readonly ports: BillingPorts;
  readonly billing: Billing;
  readonly store: FullStore;
  readonly clock: ManualClock;
  readonly project: Project;
  /** Everything logged. */
  readonly log: TestLog;
  /** Every message logged. */
  readonly logged: () => readonly string[];
  deliver(): ReturnType<Billing['worker']['deliver']>;
  /** An endpoint at `https://<name>.example.com/`. */
  endpoint(name: string): Promise<EndpointWithSecret>;
  /** Stores an event of each type for a new subscription, with a delivery to each endpoint, in one commit. */
  happens(...types: readonly EventType[]): Promise<readonly SubscriptionEvent[]>;
  /** Stores such events without any delivery. */
  missed(...types: readonly EventType[]): Promise<readonly SubscriptionEvent[]>;
}

export interface DeliveryWorldOptions extends Pick<BillingPorts, 'alertNotifier' | 'wallClock'> {
  /** A new store in memory by default, which is closed when the test ends. */
  readonly store?: TestStoreChoice;
  /** Wraps the store, to inject faults. */
  readonly wrapStore?: (store: FullStore) => FullStore;
}

export async function openDeliveryWorld(
  sender: RecordingSender,
  { store: choice, wrapStore, ...given }: DeliveryWorldOptions = {},
): Promise<DeliveryWorld> {
  const opened = await openTestStore(choice);
  onTestFinished(opened.close);
  const store = wrapStore?.(opened.store) ?? opened.store;
  const clock = new ManualClock(NOW);
  const { ports, billing, log } = createBillingWithDefaults({
    store,
    // Deliveries do not use the chain; the watch pass asks it for its condition.
    chain: partialPort<Chain>({
      network: 'devnet',
      readGenesis: async () => ({ ok: false, unavailable: { kind: 'transport' } }),
      servers: () => ({ servers: [], hostClockAheadSeconds: null }),
      readCharger: async () => ({ ok: false, unavailable: { kind: 'transport' } }),
    }),
    clock,
    crypto: withCallsCounted(createCrypto(SEALING_KEY)),
    sender,
    ...given,
  });
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);

  async function write(types: readonly EventType[], endpoints: readonly Endpoint[]) {
    const subscription = aSubscription({ projectId: project.id, planId: plan.id });
    const events = types.map((type, index) =>
      anEvent({
        projectId: project.id,
        subscriptionId: subscription.id,
        type,
        createdAt: clock.now(),
        sequence: index + 1,
        data: { id: subscription.id, name: 'Zoë ☕', external_id: 'customer-7' },
      }),
    );
    const now = billing.service.wallClock.now();
    const deliveries = events.flatMap((event) =>
      endpoints.map((endpoint) =>
        aDelivery({
          projectId: project.id,
          eventId: event.id,
          endpointId: endpoint.id,
          type: event.type,
          nextAttemptAt: now,
          createdAt: now,
        }),
      ),
    );
    await store.commit([aCommit(subscription, { events, deliveries })]);
    return events;
  }

  return {
    ports,
    billing,
    store,
    clock,
    project,
    log,
    logged: () => log.entries.map(({ message }) => message),
    deliver: () => billing.worker.deliver(),
    endpoint: (name) =>
      billing
        .project(project.id)
        .endpoints.create({ url: `https://${name}.example.com/`, types: [...EVERYTHING] }),
    happens: async (...types) => write(types, (await store.listEndpoints(project.id)).endpoints),
    missed: (...types) => write(types, []),
  };
}

/** The headers of a post, by lowercase name. */
export function headersOf(
  post: { readonly headers: Readonly<Record<string, string>> } | undefined,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(post?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
