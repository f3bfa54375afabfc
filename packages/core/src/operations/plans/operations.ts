import { BuildAnswer } from '../../contract/build.js';
import { PlanInput } from '../../contract/management.js';
import { PlanList, PlanWire } from '../../contract/plan.js';
import { describePlan } from '../describe-plans.js';
import { operation } from '../operation.js';
import { confirmPlan, createPlan, publishPlan } from './plans.js';
import { listPlans, retrievePlan } from './read-plans.js';

/** Plans: drafting and publishing them, and reading the published ones. */
export const planOperations = [
  operation({
    name: 'plans.create',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans',
    input: PlanInput,
    output: PlanWire,
    status: 201,
    notFound: null,
    errors: [
      'forbidden',
      'end_date_too_soon',
      'end_date_too_far',
      'mint_not_on_chain',
      'plan_name_taken',
      'slug_taken',
      'network_unavailable',
    ],
    summary: 'Creates a plan as a draft. It takes subscribers once it is published.',
    run: async ({ service, project, input }) =>
      describePlan(service, project, await createPlan(service, project, input)),
  }),
  operation({
    name: 'plans.publish',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/publish',
    input: null,
    output: BuildAnswer,
    status: 200,
    notFound: 'plan_not_found',
    errors: ['conflict', 'forbidden', 'network_unavailable'],
    summary: "Builds the transaction that creates a draft on chain, for its owner's wallet to sign and send.",
    run: ({ service, project, slug }) => publishPlan(service, project, slug),
  }),
  operation({
    name: 'plans.confirmPublish',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/publish/confirm',
    input: null,
    output: PlanWire,
    status: 200,
    notFound: 'plan_not_found',
    errors: ['plan_not_on_chain', 'plan_mismatch', 'network_unavailable'],
    summary: 'Publishes a draft that exists on chain with the stored values.',
    run: async ({ service, project, slug }) =>
      describePlan(service, project, await confirmPlan(service, project, slug)),
  }),
  operation({
    name: 'plans.list',
    scope: 'project',
    method: 'GET',
    path: '/v1/plans',
    limit: 'read',
    input: null,
    output: PlanList,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Every published plan, active or sunset, sorted by slug.',
    run: ({ service, project }) => listPlans(service, project),
  }),
  operation({
    name: 'plans.retrieve',
    scope: 'project',
    method: 'GET',
    path: '/v1/plans/{slug}',
    limit: 'read',
    input: null,
    output: PlanWire,
    status: 200,
    notFound: 'plan_not_found',
    errors: [],
    summary: 'One plan.',
    run: ({ service, project, slug }) => retrievePlan(service, project, slug),
  }),
] as const;
