import type { SubscriptionPlace } from '../ports/index.js';
import type { ProjectId, Subscription } from '../records/index.js';
import { retriesDifferFromTier } from '../rules/retry-policy.js';
import type { Service } from '../service.js';
import { commitTogether } from './settle-seats.js';

/** Rounds while other calls change the late subscriptions. The next sweep does the rest. */
const ROUNDS = 5;

/** How many late subscriptions are read at once. */
const PAGE = 200;

/**
 * Gives every late subscription of a project the retries of the project's tier (retries#downgrade-while-late,
 * retries#upgrade-while-late), once no charge of it is in flight.
 */
export async function settleRetries(service: Service, projectId: ProjectId): Promise<void> {
  // Without it nothing changes the tier of a project.
  if (service.lacks.has('ManagementStore')) return;
  for (let round = 0; round < ROUNDS; round++) if (await settleOnce(service, projectId)) return;
}

/** Returns whether nothing was left to change. */
async function settleOnce(service: Service, projectId: ProjectId): Promise<boolean> {
  const { store, settings } = service;
  const project = await store.findProject(projectId);
  if (project === null) return true;
  let settled = true;
  let late: readonly Subscription[] = [];
  do {
    const after: SubscriptionPlace | null = late.at(-1) ?? null;
    late = await store.listLate(projectId, after, PAGE);
    for (const subscription of late) {
      if (
        subscription.late === null ||
        !retriesDifferFromTier(subscription.late, settings.tiers[project.tier])
      )
        continue;
      if ((await store.findOpenTransfer(subscription.id)) !== null) continue;
      await commitTogether(service, project, [subscription], 'tier_changed');
      settled = false;
    }
  } while (late.length === PAGE);
  return settled;
}
