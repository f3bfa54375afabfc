import { PlanList, PlanWire } from '../../contract/plan.js';
import { operation } from '../operation.js';
import { listPlans, retrievePlan } from './read-plans.js';

export const planOperations = {
  /**
   * Lists every published plan, active or sunset, sorted by slug. Refuses with `not_found`.
   *
   * @example
   * const { plans } = await shop.plans.list();
   */
  list: operation<() => Promise<PlanList>>()({
    method: 'GET',
    path: '/v1/plans',
    output: PlanList,
    summary: 'Every published plan, active or sunset, sorted by slug.',
    run: ({ service, project }) => listPlans(service, project),
  }),
  /**
   * Reads one published plan. Its `amount` is text, in the token's smallest unit. Refuses with `not_found` or
   * `plan_not_found`.
   *
   * @example
   * const { name, amount, period_hours } = await shop.plans.retrieve('pro');
   */
  retrieve: operation<(slug: string) => Promise<PlanWire>>()({
    method: 'GET',
    path: '/v1/plans/{slug}',
    output: PlanWire,
    notFound: 'plan_not_found',
    summary: 'One plan.',
    run: ({ service, project, slug }) => retrievePlan(service, project, slug),
  }),
};
