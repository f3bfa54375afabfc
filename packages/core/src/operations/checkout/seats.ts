import { ServiceError } from '../../contract/errors.js';
import type { Project } from '../../records/index.js';
import { limitsOf } from '../../rules/project-limits.js';
import { seatsOf } from '../../rules/seats.js';
import type { Service } from '../../service.js';

/** Whether a wallet, null for a new one, has or would find a seat (seats-and-tiers#what-a-seat-is). */
export async function hasSeatFor(
  service: Service,
  project: Project,
  wallet: string | null,
): Promise<boolean> {
  const limit = limitsOf(project, service.settings.tiers).subscribers;
  if (limit === null) return true;
  const now = service.clock.now();
  const wallets = wallet === null ? [] : [wallet];
  // One seat over the limit shows that there are too many, also when one of them is the wallet's own.
  const { subscriptions, seats } = await service.store.findSeats(project.id, wallets, now, limit + 1);
  return seats - seatsOf(wallets, subscriptions, now).length < limit;
}

/** Refuses a wallet over the project's limit of seats (seats-and-tiers#when-seats-are-checked). */
export async function requireSeat(service: Service, project: Project, wallet: string): Promise<void> {
  if (!(await hasSeatFor(service, project, wallet))) throw new ServiceError('seat_cap_reached');
}
