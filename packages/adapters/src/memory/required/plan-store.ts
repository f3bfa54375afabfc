import type { PlanStore } from '@subrail/core/ports';
import { newestFirst } from '../order.js';
import { requireNew } from '../table.js';
import type { Tables } from '../tables.js';

export function planStore({ plans }: Tables): PlanStore {
  return {
    async insertPlan(plan) {
      const conflict = plans.insert([plan]);
      if (conflict === 'name' || conflict === 'slug') return conflict;
      requireNew('plan', conflict);
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
      return plans.find('slug', projectId, slug);
    },
    async claimPlanChecks(now, limit, leaseMs) {
      const nextCheckAt = new Date(now.getTime() + leaseMs);
      const claimed = plans.takeDue(now, limit).map((plan) => ({ ...plan, nextCheckAt }));
      plans.put(claimed);
      return { claimed, unreadable: [] };
    },
    async schedulePlanChecks(ids, nextCheckAt) {
      const found = ids.flatMap((id) => plans.get(id) ?? []);
      plans.put(found.map((plan) => ({ ...plan, nextCheckAt })));
    },
    async listPlans(projectId, statuses) {
      const listed = plans
        .where('project', projectId)
        .filter(({ status }) => statuses === null || statuses.includes(status));
      return newestFirst(listed);
    },
  };
}
