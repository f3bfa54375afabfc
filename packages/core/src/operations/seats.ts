import type { Project } from '../records/index.js';
import type { Service } from '../service.js';

/** Whether a wallet that is new to the project would find a seat in it now (D16.1, D18.1). */
export async function hasFreeSeat(service: Service, project: Project, now: Date): Promise<boolean> {
  const limit = project.subscriberLimit ?? service.settings.tiers[project.tier].subscribers;
  // No wallet has an empty address, so every seat counts.
  return limit === null || (await service.store.countOtherSeats(project.id, '', now)) < limit;
}
