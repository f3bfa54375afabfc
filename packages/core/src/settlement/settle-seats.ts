import { createCommitter } from '../commits/commit-changes.js';
import { SubscriptionChanges } from '../commits/subscription-changes.js';
import type { ParkedPlace, ParkedSubscription } from '../ports/index.js';
import type { Plan, Project, ProjectId, Subscription } from '../records/index.js';
import { limitsOf } from '../rules/project-limits.js';
import { returningSeats, seatsOf } from '../rules/seats.js';
import type { Service } from '../service.js';

/** Rounds while other calls change the seats. The next sweep does the rest. */
const ROUNDS = 100;

/** How many wallets are found to be over the limit in one round. */
const MOST_OVER = 10_000;

/** Of how many wallets the records are read at once. */
const PAGE = 200;

/** The project whose seats are settled, as it was at the beginning of the round. */
interface Settling {
  readonly service: Service;
  readonly project: Project;
  readonly limit: number | null;
}

/**
 * Parks the seats of a project that are over its limit, and returns parked ones for which there is room
 * (seats-and-tiers#when-seats-are-swept). Reads and decides again until nothing is left to change, so that
 * the caller that commits last sees the changes of all. Each wallet is one commit, and a later call goes on.
 * @param moved the wallets that took a seat or lost one; null when that is not known
 */
export async function settleSeats(
  service: Service,
  projectId: ProjectId,
  moved: ReadonlySet<string> | null = null,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const project = await service.store.findProject(projectId);
    if (project === null) return;
    const limit = limitsOf(project, service.settings.tiers).subscribers;
    if ((await settleOnce({ service, project, limit }, moved)) === 0) return;
  }
}

/** Returns how many wallets it tried to park or to return. */
async function settleOnce(settling: Settling, moved: ReadonlySet<string> | null): Promise<number> {
  const { service, project, limit } = settling;
  if (limit === null) return returnParked(settling, moved, Infinity);
  const { seats } = await service.store.findSeats(project.id, [], service.clock.now(), limit + 1);
  return seats > limit ? parkOver(settling, limit) : returnParked(settling, moved, limit - seats);
}

/** Parks the wallets over the limit, those that were confirmed last first (seats-and-tiers#parking-order). */
async function parkOver({ service, project }: Settling, limit: number): Promise<number> {
  const { store, clock } = service;
  const over = await store.listSeatsOver(project.id, limit, clock.now(), MOST_OVER);
  for (let first = 0; first < over.length; first += PAGE) {
    const wallets = over.slice(first, first + PAGE);
    const { subscriptions } = await store.findSeats(project.id, wallets, clock.now(), 0);
    for (const seat of seatsOf(wallets, subscriptions, clock.now()))
      await commitTogether(service, project, seat, 'paused');
  }
  return over.length;
}

/**
 * Returns the parked subscriptions of wallets with a seat, and then those that were parked longest
 * (seats-and-tiers#unparking-order). All parked ones are read only when it is not known which wallets moved.
 */
async function returnParked(
  settling: Settling,
  moved: ReadonlySet<string> | null,
  freeAtFirst: number,
): Promise<number> {
  const { service, project } = settling;
  let [tried, free] = [0, freeAtFirst];
  const tryToReturn = async (wallets: ReadonlySet<string>) => {
    const returned = await returnOf(settling, [...wallets]);
    tried += returned.tried;
    free = returned.free;
  };
  let after: ParkedPlace | null = null;
  if (moved !== null) await tryToReturn(moved);
  while (moved === null || free > 0) {
    const parked: readonly ParkedSubscription[] = await service.store.listParked(
      project.id,
      service.clock.now(),
      after,
      PAGE,
    );
    const returning = parked.filter(({ hasSeat }) => hasSeat || free > 0);
    if (returning.length > 0) await tryToReturn(new Set(returning.map(({ wallet }) => wallet)));
    if (parked.length < PAGE) break;
    after = parked.at(-1) ?? null;
  }
  return tried;
}

/** Returns the wallets of these that may return, with the number of tries and of seats that are free then. */
async function returnOf(
  { service, project, limit }: Settling,
  wallets: readonly string[],
): Promise<{ readonly tried: number; readonly free: number }> {
  const now = service.clock.now();
  // A seat more than the limit shows that there are too many.
  const most = limit === null ? 0 : limit + 1;
  const { subscriptions, seats } = await service.store.findSeats(project.id, wallets, now, most);
  const { unpark, free } = returningSeats(subscriptions, seats, limit, now);
  for (const seat of unpark) await commitTogether(service, project, seat, 'unpaused');
  return { tried: unpark.length, free };
}

/**
 * Changes subscriptions of one project in one commit. A lost commit is not repeated: the caller reads and
 * decides again.
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
