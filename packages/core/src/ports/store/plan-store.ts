import type { Plan, PlanId, ProjectId } from '../../records/index.js';

/** Which unique field of a plan is taken by another plan of the same project. */
export type PlanConflict = 'name' | 'slug';

/** Stores plans. Names and slugs are unique within a project, except that a `failed` plan gives both back. */
export interface PlanStore {
  /** Inserts a plan, or returns the field that conflicts. Of N callers with one slug exactly one gets `inserted`. */
  insertPlan(plan: Plan): Promise<'inserted' | PlanConflict>;
  /**
   * Replaces a plan whose stored `version` is one less than the given one. Of N callers with one version exactly one
   * gets `updated`. `lost` means a conflict, and nothing was written: the stored version is another one, or another
   * plan has the name or the slug.
   */
  updatePlan(plan: Plan): Promise<'updated' | 'lost'>;
  findPlan(id: PlanId): Promise<Plan | null>;
  /** Returns the project's plan with this slug, or null. A `failed` plan is not found. */
  findPlanBySlug(projectId: ProjectId, slug: string): Promise<Plan | null>;
  /** Returns every active and sunset plan of the project, ordered by slug. */
  listPublishedPlans(projectId: ProjectId): Promise<readonly Plan[]>;
}
