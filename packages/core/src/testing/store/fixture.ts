import type { Commit, SignedTerms, Store } from '../../ports/store.js';
import type {
  Delivery,
  Endpoint,
  Plan,
  Project,
  Subscription,
  SubscriptionEvent,
} from '../../records/index.js';
import {
  aCheckout,
  aCommit,
  aDelivery,
  anEndpoint,
  anEvent,
  aPlan,
  aProject,
  aSubscription,
  MADE_AT,
} from '../records.js';
import { expectEqual } from '../expect.js';

/** A stored project with a plan and an endpoint, and functions that make or store more of the project. */
export type Fixture = Awaited<ReturnType<typeof storeFixture>>;

/** Stores a project with a plan and an endpoint. */
export async function storeFixture(store: Store) {
  const project = aProject();
  await store.insertProject(project);
  const plan = await aStoredPlan(store, project);
  const ids = { projectId: project.id, planId: plan.id };
  const fixture = {
    project,
    plan,
    aSubscription: (given: Partial<Subscription> = {}) => aSubscription({ ...ids, ...given }),
    aCheckout: (given: Partial<Subscription> = {}) => aCheckout({ ...ids, ...given }),
    /** Stores a subscription, with the other rows of its commit. */
    async aStoredSubscription(
      given: Partial<Subscription> = {},
      rest: Partial<Omit<Commit, 'subscription'>> = {},
    ): Promise<Subscription> {
      const subscription = fixture.aSubscription(given);
      await mustCommit(store, aCommit(subscription, rest));
      return subscription;
    },
    aStoredPlan: (given: Partial<Plan> = {}) => aStoredPlan(store, project, given),
    async anotherEndpoint(given: Partial<Endpoint> = {}): Promise<Endpoint> {
      const endpoint = anEndpoint({ projectId: project.id, ...given });
      expectEqual(await store.insertEndpoint(endpoint), 'inserted', 'the result of inserting an endpoint');
      return endpoint;
    },
  };
  return { ...fixture, endpoint: await fixture.anotherEndpoint() };
}

export async function aStoredPlan(store: Store, project: Project, given: Partial<Plan> = {}): Promise<Plan> {
  const plan = aPlan({ projectId: project.id, ...given });
  expectEqual(await store.insertPlan(plan), 'inserted', 'the result of inserting a plan');
  return plan;
}

/** Commits changes that conflict with nothing, and fails when the store says otherwise. */
export async function mustCommit(store: Pick<Store, 'commit'>, ...changes: readonly Commit[]): Promise<void> {
  expectEqual(await store.commit(changes), 'committed', 'the result of a commit without a conflict');
}

/** The next version of a subscription, with the given fields changed. */
export function nextVersion(before: Subscription, given: Partial<Subscription> = {}): Subscription {
  return { ...before, version: before.version + 1, ...given };
}

/** The fields of an event without a snapshot, which is held. */
export const HELD = { data: null, heldState: { subscription: { version: 1 } } } as const;

export function eventOf(
  { projectId, id: subscriptionId }: Subscription,
  sequence: number,
  given: Parameters<typeof anEvent>[0] = {},
) {
  return anEvent({ projectId, subscriptionId, sequence, ...given });
}

export function deliveryOf(
  { projectId, id: eventId }: SubscriptionEvent,
  { id: endpointId }: Endpoint,
  given: Partial<Delivery> = {},
): Delivery {
  return aDelivery({ projectId, eventId, endpointId, ...given });
}

/** The terms of a subscription, signed once by each signature. */
export function termsOf({ id: subscriptionId }: Subscription, signature: string): SignedTerms {
  return { subscriptionId, message: 'terms', signature, envelope: null, signedAt: at(1) };
}

/** The instant this many milliseconds after `MADE_AT`. */
export function at(ms: number): Date {
  return new Date(MADE_AT.getTime() + ms);
}

/** Reads a subscription again. */
export function subscriptionOf(store: Store, { projectId, id }: Subscription): Promise<Subscription | null> {
  return store.findSubscription(projectId, id);
}
