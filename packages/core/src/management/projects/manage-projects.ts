import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { projectWire } from '../../operations/projects/operations.js';
import { type Plan, type Project, newId } from '../../records/index.js';
import { limitsOf } from '../../rules/project-limits.js';
import type { Service } from '../../service.js';
import { settleRetries } from '../../settlement/settle-retries.js';
import { settleSeats } from '../../settlement/settle-seats.js';
import { requireShortTerms } from '../plans/plan-limits.js';
import type { ManagedProject, ProjectInput, ProjectUpdate } from './schemas.js';

export async function createProject(
  service: Service,
  { name, tier, logo_url, cancel_url }: z.output<typeof ProjectInput>,
): Promise<ManagedProject> {
  const project: Project = {
    id: newId(service.random, 'proj'),
    name,
    tier,
    logoUrl: logo_url,
    cancelUrl: cancel_url,
    subscriberLimit: null,
    publishedPlansLimit: null,
    createdAt: service.clock.now(),
  };
  await service.store.insertProject(project);
  return managedProject(service, project);
}

/** The plans whose terms wallets sign, or will. */
const CAN_BE_SUBSCRIBED_TO: readonly Plan['status'][] = ['draft', 'active'];

/**
 * Changes a project, and its seats and the retries of its late subscriptions. The next sweep completes an
 * interrupted change.
 */
export async function updateProject(
  service: Service,
  { id }: Project,
  changes: z.output<typeof ProjectUpdate>,
): Promise<ManagedProject> {
  const project = await service.store.transaction(async (store) => {
    // Read again, so that of two calls at once neither undoes what the other changed.
    const before = await store.findProject(id);
    if (before === null) throw new ServiceError('not_found');
    const updated = withChanges(before, changes);
    if (updated.name !== before.name || updated.cancelUrl !== before.cancelUrl) {
      const plans = await store.listPlans(id, CAN_BE_SUBSCRIBED_TO);
      for (const plan of plans) requireShortTerms(service, updated, plan);
    }
    await store.updateProject(updated);
    return updated;
  });
  await settleSeats(service, project.id);
  await settleRetries(service, project.id);
  return managedProject(service, project);
}

function withChanges(before: Project, changes: z.output<typeof ProjectUpdate>): Project {
  const {
    name = before.name,
    tier = before.tier,
    logo_url: logoUrl = before.logoUrl,
    cancel_url: cancelUrl = before.cancelUrl,
    subscriber_limit: subscriberLimit = before.subscriberLimit,
    published_plans_limit: publishedPlansLimit = before.publishedPlansLimit,
  } = changes;
  return { ...before, name, tier, logoUrl, cancelUrl, subscriberLimit, publishedPlansLimit };
}

export async function deleteProject({ store }: Service, { id }: Project): Promise<void> {
  if ((await store.deleteProject(id)) === 'in_use')
    throw new ServiceError('conflict', {
      message: 'The project has or had a plan or an endpoint, so it is kept. Revoke its keys to end its use.',
    });
}

export function managedProject(service: Service, project: Project): ManagedProject {
  const { subscribers, publishedPlans } = limitsOf(project, service.settings.tiers);
  return {
    ...projectWire(service, project),
    logo_url: project.logoUrl,
    cancel_url: project.cancelUrl,
    subscriber_limit: project.subscriberLimit,
    published_plans_limit: project.publishedPlansLimit,
    limits: { subscribers, published_plans: publishedPlans },
  };
}
