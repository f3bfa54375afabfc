import type { z } from 'zod';

import type { ProjectWire } from '../../contract/project.js';
import type { ProjectInput } from '../../contract/management.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Project } from '../../records/index.js';
import { newId } from '../../records/index.js';
import type { Service } from '../../service.js';

/** Makes a project (management#project-functions). Projects made here are `business` unless told otherwise (seats-and-tiers#tier-limits). */
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

export async function listProjects(service: Service): Promise<readonly ProjectWire[]> {
  return (await service.store.listProjects()).map((project) => projectWire(service, project));
}

/** seats-and-tiers#tier-limits: what `GET /v1/project` answers. */
export function projectWire(service: Service, project: Project): ProjectWire {
  return {
    id: project.id,
    name: project.name,
    network: service.chain.network,
    tier: project.tier,
    created_at: toWireDate(project.createdAt),
  };
}
