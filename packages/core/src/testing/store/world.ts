import type { Commit, Store } from '../../ports/store.js';
import type { Endpoint, Plan, Project, Subscription } from '../../records/index.js';
import { aCommit, anEndpoint, anEvent, aPlan, aProject, aSubscription, MADE_AT } from '../records.js';
import { same } from './judge.js';

/** A project with a plan and an endpoint, stored: what every other row belongs to. */
export interface World {
  readonly project: Project;
  readonly plan: Plan;
  readonly endpoint: Endpoint;
}

export async function aWorld(store: Store): Promise<World> {
  const project = aProject();
  await store.insertProject(project);
  const plan = await aStoredPlan(store, project);
  const endpoint = anEndpoint({ projectId: project.id });
  same(await store.insertEndpoint(endpoint), 'inserted', 'a first endpoint is inserted');
  return { project, plan, endpoint };
}

export async function aStoredPlan(store: Store, project: Project, given: Partial<Plan> = {}): Promise<Plan> {
  const plan = aPlan({ projectId: project.id, ...given });
  same(await store.insertPlan(plan), 'inserted', 'a plan with names of its own is inserted');
  return plan;
}

/** What ties a subscription to a world. */
export function of({ project, plan }: World): Pick<Subscription, 'projectId' | 'planId'> {
  return { projectId: project.id, planId: plan.id };
}

export async function aStoredSubscription(
  store: Store,
  world: World,
  given: Partial<Subscription> = {},
  beside: Partial<Omit<Commit, 'subscription'>> = {},
): Promise<Subscription> {
  const subscription = aSubscription({ ...of(world), ...given });
  await committed(store, aCommit(subscription, beside));
  return subscription;
}

/** Commits what must be possible. */
export async function committed(store: Pick<Store, 'commit'>, ...changes: readonly Commit[]): Promise<void> {
  same(await store.commit(changes), 'committed', 'a commit that meets nobody is committed');
}

/** The version after this one. */
export function next(before: Subscription, given: Partial<Subscription> = {}): Subscription {
  return { ...before, version: before.version + 1, ...given };
}

/** The event of a subscription with this place. */
export function eventOf(subscription: Subscription, sequence: number) {
  return anEvent({ projectId: subscription.projectId, subscriptionId: subscription.id, sequence });
}

/** This many milliseconds after the usual records were made. */
export function at(ms: number): Date {
  return new Date(MADE_AT.getTime() + ms);
}
