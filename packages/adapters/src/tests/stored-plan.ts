import type { Plan, StoreOperations } from '@subrail/core/ports';
import { aPlan, aProject } from '@subrail/core/testing';

/** Stores a project with a plan. */
export async function storedPlan(
  store: Pick<StoreOperations, 'insertProject' | 'insertPlan'>,
  fields: Partial<Plan> = {},
) {
  const project = aProject();
  const plan = aPlan({ ...fields, projectId: project.id });
  await store.insertProject(project);
  await store.insertPlan(plan);
  return { project, plan };
}
