import type { z } from 'zod';

import type { ProjectWire } from '../../contract/project.js';
import type { ProjectInput, ProjectUpdate } from '../../contract/management.js';
import { toWireDate } from '../../contract/scalars.js';
import { type Project, type ProjectId, newId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { settleRetries } from '../../settlement/settle-retries.js';
import { settleSeats } from '../../settlement/settle-seats.js';
import { findProject } from '../find-project.js';

/** Creates a project. */
export async function createProject(
  service: Service,
  { name, tier, logo_url, cancel_url }: z.output<typeof ProjectInput>,
): Promise<ProjectWire> {
  const project: Project = {
    id: newId(service.random, 'proj'),
    name,
    tier,
    logoUrl: logo_url,
    cancelUrl: cancel_url,
    subscriberLimit: null,
    createdAt: service.clock.now(),
  };
  await service.store.insertProject(project);
  return projectWire(service, project);
}

/**
 * Changes a project, and then its seats and the retries of its late subscriptions with it. If the process dies first, the
 * next sweep does so.
 */
export async function updateProject(
  service: Service,
  id: ProjectId,
  changes: z.output<typeof ProjectUpdate>,
): Promise<ProjectWire> {
  const before = await findProject(service, id);
  const {
    name = before.name,
    tier = before.tier,
    logo_url: logoUrl = before.logoUrl,
    cancel_url: cancelUrl = before.cancelUrl,
    subscriber_limit: subscriberLimit = before.subscriberLimit,
  } = changes;
  const project: Project = { ...before, name, tier, logoUrl, cancelUrl, subscriberLimit };
  await service.store.updateProject(project);
  await settleSeats(service, id);
  await settleRetries(service, id);
  return projectWire(service, project);
}

/** Lists every project. */
export async function listProjects(service: Service): Promise<readonly ProjectWire[]> {
  return (await service.store.listProjects()).map((project) => projectWire(service, project));
}

/** The wire object of a project. */
export function projectWire(service: Service, project: Project): ProjectWire {
  return {
    id: project.id,
    name: project.name,
    network: service.chain.network,
    tier: project.tier,
    created_at: toWireDate(project.createdAt),
  };
}
