import type { Plan, PlanId, ProjectId } from '../../records/index.js';
import type { WithUnreadable } from './unreadable-record.js';

/** The unique field of a plan that another plan of the project has. */
type PlanConflict = 'name' | 'slug';

/** The plans that a claim took. Unreadable ones are leased too, so they hold up none. */
export interface PlanClaims extends WithUnreadable {
  /** The plans as they are after the claim. */
  readonly claimed: readonly Plan[];
}

/**
 * Stores plans. Names and slugs are unique among the plans of a project that have not `failed`: a `closed`
 * plan keeps its own.
 */
export interface PlanStore {
  /**
   * Inserts a plan, or returns the field that conflicts; either one when both do. A `failed` plan conflicts
   * with none. Of N callers with one slug exactly one gets `inserted`. Throws when its id is taken.
   */
  insertPlan(plan: Plan): Promise<'inserted' | PlanConflict>;
  /**
   * Replaces a plan whose stored `version` is one less than the given one. Of N callers with one version
   * exactly one gets `updated`. `lost` means a conflict, and nothing was written: there is no such plan, its
   * version is another, or another plan has the name or the slug.
   */
  updatePlan(plan: Plan): Promise<'updated' | 'lost'>;
  /** Returns the plan with this id, in whatever project and status, or null. */
  findPlan(id: PlanId): Promise<Plan | null>;
  /** Returns the project's plan with this slug, or null. A `failed` plan is not found. */
  findPlanBySlug(projectId: ProjectId, slug: string): Promise<Plan | null>;
  /**
   * Claims the plans whose `nextCheckAt` is soonest, and at or before `now`, at most `limit`; returns them in
   * any order. A claim of fewer leaves no due plan but those that another caller is writing. A claim is a
   * lease: it moves `nextCheckAt` to `now + leaseMs` and changes nothing else, not even `version`. Of N
   * racing callers each due plan goes to exactly one.
   */
  claimPlanChecks(now: Date, limit: number, leaseMs: number): Promise<PlanClaims>;
  /**
   * Sets `nextCheckAt` of plans; null ends their reads. Changes nothing else, not even `version`, and ignores
   * an unknown id.
   */
  schedulePlanChecks(ids: readonly PlanId[], nextCheckAt: Date | null): Promise<void>;
  /**
   * Returns every plan of the project that has one of these statuses, of any status when `statuses` is null,
   * newest first.
   */
  listPlans(projectId: ProjectId, statuses: readonly Plan['status'][] | null): Promise<readonly Plan[]>;
}
