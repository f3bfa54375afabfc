import { z } from 'zod';

import { BuildAnswer } from '../../contract/build.js';
import {
  ExpectedPlan,
  ManagedPlan,
  PlanEnd,
  PlanInput,
  PlanPullers,
  PlanSunset,
  PlanUpdate,
} from '../../contract/management.js';
import { PlanList, PlanWire } from '../../contract/plan.js';
import { describeManagedPlan, describeManagedPlans } from '../describe-plans.js';
import { operation } from '../operation.js';
import { changePullers, deletePlan, shortenPlan, sunsetPlan } from './change-plan.js';
import { confirmDelete, confirmUpdate } from './confirm-change.js';
import { confirmPlan, createPlan, findPlan, publishPlan } from './plans.js';
import { listPlans, retrievePlan } from './read-plans.js';
import { discardPlan, updatePlan } from './update-plan.js';

/** The codes of a transaction that changes a published plan. */
const CHANGE_ERRORS = ['plan_not_on_chain', 'plan_removed', 'plan_replaced', 'network_unavailable'] as const;

/** Plans: drafting and publishing them, and reading the published ones. */
export const planOperations = [
  operation({
    name: 'plans.create',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans',
    input: PlanInput,
    output: ManagedPlan,
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
      describeManagedPlan(service, project, await createPlan(service, project, input)),
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
    errors: ['conflict', 'forbidden', 'end_date_too_soon', 'network_unavailable'],
    summary: "Builds the transaction that creates a draft on chain, for its owner's wallet to sign and send.",
    run: ({ service, project, slug }) => publishPlan(service, project, slug),
  }),
  operation({
    name: 'plans.confirmPublish',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/publish/confirm',
    input: null,
    output: ManagedPlan,
    status: 200,
    notFound: 'plan_not_found',
    errors: ['plan_not_on_chain', 'plan_mismatch', 'network_unavailable'],
    summary: 'Publishes a draft that exists on chain with the stored values.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await confirmPlan(service, project, slug)),
  }),
  operation({
    name: 'plans.all',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/plans',
    input: null,
    output: z.array(ManagedPlan).readonly(),
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Every plan of a project in whatever status, newest first.',
    run: async ({ service, project }) =>
      describeManagedPlans(service, project, await service.store.listPlans(project.id)),
  }),
  operation({
    name: 'plans.detail',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/plans/{slug}',
    input: null,
    output: ManagedPlan,
    status: 200,
    notFound: 'plan_not_found',
    errors: [],
    summary: 'A plan in whatever status, except one whose creation failed.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await findPlan(service, project, slug)),
  }),
  operation({
    name: 'plans.update',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}',
    input: PlanUpdate,
    output: ManagedPlan,
    status: 200,
    notFound: 'plan_not_found',
    errors: ['conflict', 'plan_name_taken'],
    summary:
      "Changes a plan's description, website and logo, and the name of a draft. None of them needs a transaction.",
    run: async ({ service, project, slug, input }) =>
      describeManagedPlan(service, project, await updatePlan(service, project, slug, input)),
  }),
  operation({
    name: 'plans.discard',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/discard',
    input: null,
    output: ManagedPlan,
    status: 200,
    notFound: 'plan_not_found',
    errors: ['conflict', 'network_unavailable'],
    summary: 'Gives up a draft that is not on chain, and frees its name and slug.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await discardPlan(service, project, slug)),
  }),
  operation({
    name: 'plans.sunset',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/sunset',
    input: PlanSunset.prefault({}),
    output: BuildAnswer,
    status: 200,
    notFound: 'plan_not_found',
    errors: [
      ...CHANGE_ERRORS,
      'conflict',
      'plan_ended',
      'end_date_stale',
      'end_date_too_soon',
      'end_date_too_far',
    ],
    summary:
      "Builds the transaction after which a plan takes no new subscriber, for its owner's wallet to sign and send.",
    run: ({ service, project, slug, input }) => sunsetPlan(service, project, slug, input),
  }),
  operation({
    name: 'plans.shorten',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/shorten',
    input: PlanEnd,
    output: BuildAnswer,
    status: 200,
    notFound: 'plan_not_found',
    errors: [
      ...CHANGE_ERRORS,
      'conflict',
      'plan_ended',
      'end_date_stale',
      'end_date_too_soon',
      'end_date_too_far',
    ],
    summary:
      "Builds the transaction that gives a plan an end, or an earlier one, for its owner's wallet to sign and send.",
    run: ({ service, project, slug, input }) => shortenPlan(service, project, slug, input),
  }),
  operation({
    name: 'plans.changePullers',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/pullers',
    input: PlanPullers,
    output: BuildAnswer,
    status: 200,
    notFound: 'plan_not_found',
    errors: [...CHANGE_ERRORS, 'conflict', 'plan_ended'],
    summary:
      "Builds the transaction that replaces the wallets which may charge a plan, for its owner's wallet to sign and send.",
    run: ({ service, project, slug, input }) => changePullers(service, project, slug, input),
  }),
  operation({
    name: 'plans.confirmUpdate',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/confirm',
    input: ExpectedPlan.prefault({}),
    output: ManagedPlan,
    status: 200,
    notFound: 'plan_not_found',
    errors: [...CHANGE_ERRORS, 'plan_mismatch'],
    summary: 'Follows a published plan to what the chain shows, and refuses one that is not as expected.',
    run: async ({ service, project, slug, input }) =>
      describeManagedPlan(service, project, await confirmUpdate(service, project, slug, input)),
  }),
  operation({
    name: 'plans.delete',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/delete',
    input: null,
    output: BuildAnswer,
    status: 200,
    notFound: 'plan_not_found',
    errors: [...CHANGE_ERRORS, 'conflict'],
    summary:
      "Builds the transaction that deletes a plan which has ended, for its owner's wallet to sign and send.",
    run: ({ service, project, slug }) => deletePlan(service, project, slug),
  }),
  operation({
    name: 'plans.confirmDelete',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/delete/confirm',
    input: null,
    output: ManagedPlan,
    status: 200,
    notFound: 'plan_not_found',
    errors: ['plan_not_on_chain', 'conflict', 'network_unavailable'],
    summary: 'Closes a plan that its owner deleted on chain.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await confirmDelete(service, project, slug)),
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
