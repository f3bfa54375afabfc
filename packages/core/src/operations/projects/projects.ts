import type { z } from 'zod';

import type { ProjectWire } from '../../contract/project.js';
import type { ProjectInput } from '../../contract/management.js';
import { toWireDate } from '../../contract/scalars.js';
import { type Project, newId } from '../../records/index.js';
import type { Service } from '../../service.js';

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
