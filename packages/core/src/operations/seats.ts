import type { Project } from '../records/index.js';
import type { Service } from '../service.js';

/** How many seats a project has (D16.1), or null without a limit. */
export function seatLimit(service: Service, project: Project): number | null {
  return project.subscriberLimit ?? service.settings.tiers[project.tier].subscribers;
}

/** Whether a wallet that holds no seat of the project yet would find one. */
export async function hasFreeSeat(service: Service, project: Project, now: Date): Promise<boolean> {
  const limit = seatLimit(service, project);
  return limit === null || (await service.store.countSeats(project.id, now)) < limit;
}
