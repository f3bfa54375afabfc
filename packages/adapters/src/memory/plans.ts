import type { StoreOperations } from '@subrail/core/ports';
import { key } from './table.js';
import type { Tables } from './tables.js';
import { mustBeNew } from './unexpected.js';

type PlanOperations = Pick<
  StoreOperations,
  'insertPlan' | 'updatePlan' | 'findPlan' | 'findPlanBySlug' | 'listPublishedPlans'
>;

export function planOperations({ plans }: Tables): PlanOperations {
  return {
    async insertPlan(plan) {
      const clash = plans.insert([plan]);
      if (clash === 'name' || clash === 'slug') return clash;
      mustBeNew('plan', clash);
      return 'inserted';
    },
    async updatePlan(plan) {
      if (plans.get(plan.id)?.version !== plan.version - 1) return 'lost';
      return plans.put([plan]) === null ? 'updated' : 'lost';
    },
    async findPlan(id) {
      return plans.get(id);
    },
    async findPlanBySlug(projectId, slug) {
      return plans.where('slug', key(projectId, slug))[0] ?? null;
    },
    async listPublishedPlans(projectId) {
      return plans
        .where('project', projectId)
        .filter((plan) => plan.status === 'active' || plan.status === 'sunset')
        .sort((a, b) => (a.slug < b.slug ? -1 : 1));
    },
  };
}
