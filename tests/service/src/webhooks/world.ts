import { createBilling, type BillingPorts, type Billing, type EventType, type Logger } from '@subrail/core';
import type { Chain, SubscriptionEvent, Project, Store } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  ManualClock,
  SeededRandom,
  type RecordingSender,
} from '@subrail/core/testing';
import { createMemoryStore } from '@subrail/adapters/memory';
import { createCrypto } from '@subrail/adapters/node';

export const NOW = new Date('2026-10-02T08:30:00.000Z');
export const EVERYTHING: readonly EventType[] = ['subscription.created', 'subscription.renewed'];
export const SEALING_KEY = new Uint8Array(32).fill(7);

/** A project whose subscriptions have events, in front of fake endpoints and a clock that is moved by hand. */
export interface World {
  readonly ports: BillingPorts;
  readonly billing: Billing;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly project: Project;
  /** Every message logged. */
  readonly logged: readonly string[];
  deliver(): ReturnType<Billing['worker']['deliver']>;
  /** An endpoint at `https://<name>.example.com/`. */
  endpoint(name: string): ReturnType<Billing['endpoints']['create']>;
  /** Something happens to a subscription: an event of each type, and its delivery to each endpoint, are written at once. */
  happens(...types: readonly EventType[]): Promise<readonly SubscriptionEvent[]>;
}

export async function openWorld(sender: RecordingSender, store: Store = createMemoryStore()): Promise<World> {
  const clock = new ManualClock(NOW);
  const logged: string[] = [];
  const note: Logger['info'] = (_facts, message) => void logged.push(message);
  const ports: BillingPorts = {
    store,
    chain: { network: 'devnet' } as Chain,
    clock,
    random: new SeededRandom(1),
    crypto: createCrypto(SEALING_KEY),
    sender,
    logger: { debug: note, info: note, warn: note, error: note },
  };
  const billing = createBilling(ports);
  const project = aProject();
  const plan = aPlan({ projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);

  return {
    ports,
    billing,
    store,
    clock,
    project,
    logged,
    deliver: () => billing.worker.deliver(),
    endpoint: (name) =>
      billing.endpoints.create(project.id, { url: `https://${name}.example.com/`, types: [...EVERYTHING] }),
    async happens(...types) {
      const subscription = aSubscription({ projectId: project.id, planId: plan.id });
      const events = types.map((type, index) =>
        anEvent({
          projectId: project.id,
          subscriptionId: subscription.id,
          type,
          createdAt: clock.now(),
          sequence: index + 1,
          data: { id: subscription.id, name: 'Zoë ☕' },
        }),
      );
      const endpoints = await store.listEndpoints(project.id);
      const deliveries = events.flatMap((event) =>
        endpoints.map((endpoint) =>
          aDelivery({
            projectId: project.id,
            eventId: event.id,
            endpointId: endpoint.id,
            nextAttemptAt: clock.now(),
            createdAt: clock.now(),
          }),
        ),
      );
      await store.commit([aCommit(subscription, { events, deliveries })]);
      return events;
    },
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
