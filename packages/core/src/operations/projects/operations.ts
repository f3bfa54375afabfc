import { ProjectWire } from '../../contract/project.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { operation } from '../operation.js';

export const projectOperations = {
  /**
   * Reads the project as the holder of its key sees it. Refuses with `not_found`.
   *
   * @example
   * const { name, tier } = await shop.retrieve();
   */
  retrieve: operation<() => Promise<ProjectWire>>()({
    method: 'GET',
    path: '/v1/project',
    output: ProjectWire,
    summary: 'The project the key belongs to.',
    run: async ({ service, project }) => projectWire(service, project),
  }),
};

export function projectWire(service: Service, project: Project): ProjectWire {
  return {
    id: project.id,
    name: project.name,
    network: service.chain.network,
    tier: project.tier,
    created_at: toWireDate(project.createdAt),
  };
}
