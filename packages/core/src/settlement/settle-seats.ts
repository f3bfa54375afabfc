import { createCommitter } from '../commits/commit-changes.js';
import { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { Plan, Project, ProjectId, Subscription } from '../records/index.js';
import { limitsOf } from '../rules/project-limits.js';
import { seatChanges } from '../rules/seats.js';
import type { Service } from '../service.js';

/** How often the seats are decided anew while other calls change them. What is left then is left to the next sweep. */
const ROUNDS = 20;

/**
 * Parks the seats of a project that are over its limit, and returns parked ones for which there is room
 * (seats-and-tiers#when-seats-are-swept). It reads and decides again until nothing is left to change: so, of several callers
 * at once, the one that commits last sees what all of them did. It may be interrupted anywhere, because each wallet is one
 * commit, and the next call goes on from the records.
 */
export async function settleSeats(service: Service, projectId: ProjectId): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if (await settleOnce(service, projectId)) return;
}

/** Returns whether nothing was left to change. */
async function settleOnce(service: Service, projectId: ProjectId): Promise<boolean> {
  const { store, clock } = service;
  const project = await store.findProject(projectId);
  if (project === null) return true;
  const limit = limitsOf(project, service.settings.tiers).subscribers;
  const parked = await store.listSubscribers(projectId, 'parked');
  // No wallet has an empty address, so every seat is counted.
  const isOver = limit !== null && (await store.countOtherSeats(projectId, '', clock.now())) > limit;
  if (parked.length === 0 && !isOver) return true;
  const seated = await store.listSubscribers(projectId, 'seated');
  const { park, unpark } = seatChanges([...seated, ...parked], limit, clock.now());
  for (const seat of park) await commitTogether(service, project, seat, 'paused');
  for (const seat of unpark) await commitTogether(service, project, seat, 'unpaused');
  return park.length + unpark.length === 0;
}

/**
 * Changes subscriptions of one project in one commit. A commit that is lost to a concurrent one is not repeated: the caller
 * reads and decides again.
 */
export async function commitTogether(
  service: Service,
  project: Project,
  subscriptions: readonly Subscription[],
  kind: 'paused' | 'unpaused' | 'tier_changed',
): Promise<void> {
  const batch: SubscriptionChanges[] = [];
  for (const subscription of subscriptions) {
    const plan = await planOf(service, subscription);
    const changes = new SubscriptionChanges(service, { project, plan, subscription });
    changes.apply({ kind }, service.clock.now());
    batch.push(changes);
  }
  await createCommitter(service).commit(batch);
}

async function planOf({ store }: Service, { id, planId }: Subscription): Promise<Plan> {
  const plan = await store.findPlan(planId);
  if (plan === null) throw new Error(`Plan ${planId} of subscription ${id} is not in the store.`);
  return plan;
}
