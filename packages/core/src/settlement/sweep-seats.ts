import type { Service } from '../service.js';
import { plus } from '../rules/billing-periods.js';
import { settleRetries } from './settle-retries.js';
import { settleSeats } from './settle-seats.js';

/** How often the seats of every project are counted again (seats-and-tiers#when-seats-are-swept). */
const SWEEP_MS = 3_600_000;

/**
 * Makes the sweep over every project, at the first call and then at most once an hour, which makes up for a
 * process that died after a commit. Every process sweeps: without changes, a sweep reads a few pages of each
 * project.
 */
export function createSeatSweep(service: Service): () => Promise<void> {
  let nextAt: Date | null = null;
  return async () => {
    const now = service.clock.now();
    if (nextAt !== null && now < nextAt) return;
    for (const { id } of await service.store.listProjects()) {
      try {
        await settleSeats(service, id);
        await settleRetries(service, id);
      } catch (err) {
        service.logger.error(
          { project: id, err },
          'The seats of a project could not be settled. The next sweep tries again.',
        );
      }
    }
    nextAt = plus(now, SWEEP_MS);
  };
}
