import { ServiceError } from '../contract/errors.js';
import { quoted } from '../contract/validation-messages.js';
import type { Project, ProjectId } from '../records/index.js';
import type { Service } from '../service.js';

/** Returns the project with this id. Throws `not_found`. */
export async function requireProject({ store }: Service, id: string): Promise<Project> {
  const project = await store.findProject(id as ProjectId);
  if (project === null)
    throw new ServiceError('not_found', {
      message: `There is no project ${quoted(id)}. List the projects to see those that exist.`,
    });
  return project;
}
