import type { Commit, Store } from '../../ports/store.js';
import type { Endpoint, Plan, Project, Subscription } from '../../records/index.js';
import { aCommit, anEndpoint, anEvent, aPlan, aProject, aSubscription, MADE_AT } from '../records.js';
import { expectEqual } from './expect.js';

/** A stored project with a plan and an endpoint: the records that every other record refers to. */
export interface Fixture {
  readonly project: Project;
  readonly plan: Plan;
  readonly endpoint: Endpoint;
}

/** Stores a project with a plan and an endpoint. */
export async function storeFixture(store: Store): Promise<Fixture> {
  const project = aProject();
  await store.insertProject(project);
  const plan = await aStoredPlan(store, project);
  const endpoint = anEndpoint({ projectId: project.id });
  expectEqual(await store.insertEndpoint(endpoint), 'inserted', 'the result of inserting a first endpoint');
  return { project, plan, endpoint };
}

/** Stores a plan. */
export async function aStoredPlan(store: Store, project: Project, given: Partial<Plan> = {}): Promise<Plan> {
  const plan = aPlan({ projectId: project.id, ...given });
  expectEqual(
    await store.insertPlan(plan),
    'inserted',
    'the result of inserting a plan with a new name and slug',
  );
  return plan;
}

/** Returns the ids that make a subscription belong to a fixture. */
export function idsOf({ project, plan }: Fixture): Pick<Subscription, 'projectId' | 'planId'> {
  return { projectId: project.id, planId: plan.id };
}

/** Stores a subscription, together with the rest of a commit when `rest` is given. */
export async function aStoredSubscription(
  store: Store,
  fixture: Fixture,
  given: Partial<Subscription> = {},
  rest: Partial<Omit<Commit, 'subscription'>> = {},
): Promise<Subscription> {
  const subscription = aSubscription({ ...idsOf(fixture), ...given });
  await mustCommit(store, aCommit(subscription, rest));
  return subscription;
}

/** Commits changes that conflict with nothing, and fails when the store says otherwise. */
export async function mustCommit(store: Pick<Store, 'commit'>, ...changes: readonly Commit[]): Promise<void> {
  expectEqual(await store.commit(changes), 'committed', 'the result of a commit without a conflict');
}

/** Returns the next version of a subscription, with the given fields changed. */
export function nextVersion(before: Subscription, given: Partial<Subscription> = {}): Subscription {
  return { ...before, version: before.version + 1, ...given };
}

/** Returns an event of a subscription with this sequence number. */
export function eventOf(subscription: Subscription, sequence: number) {
  return anEvent({ projectId: subscription.projectId, subscriptionId: subscription.id, sequence });
}

/** Returns the instant this many milliseconds after `MADE_AT`. */
export function at(ms: number): Date {
  return new Date(MADE_AT.getTime() + ms);
}
