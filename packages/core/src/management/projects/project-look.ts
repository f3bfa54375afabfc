import type * as z from 'zod';

import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import type { ProjectLookUpdate, ProjectLookWire } from './schemas.js';

/** Reads how the pages of a project look (portal#look-of-a-project). */
export async function readLook(service: Service, { id }: Project): Promise<ProjectLookWire> {
  requireCapability(service, 'SessionStore');
  const look = await service.store.findProjectLook(id);
  return { accent: look?.accent ?? null, logo: look?.logo ?? null };
}

/** Changes how the pages of a project look. Calls at once may undo each other, as two people who save do. */
export async function updateLook(
  service: Service,
  project: Project,
  { accent, logo }: z.output<typeof ProjectLookUpdate>,
): Promise<ProjectLookWire> {
  const before = await readLook(service, project);
  const look = {
    accent: accent === undefined ? before.accent : accent,
    logo: logo === undefined ? before.logo : logo,
  };
  await service.store.saveProjectLook({ projectId: project.id, ...look });
  return look;
}
