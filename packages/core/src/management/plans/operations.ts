import * as z from 'zod';

import { BuildAnswer } from '../../contract/build.js';
import { WalletSubmitted } from '../../contract/wallet.js';
import { operation } from '../../operations/operation.js';
import { requirePlan } from '../../operations/require.js';
import { changePullers, deletePlan, shortenPlan, submitPlan, sunsetPlan } from './change-plan.js';
import { confirmDelete, confirmUpdate } from './confirm-change.js';
import { createPlan } from './create-plan.js';
import { describeManagedPlan, describeManagedPlans } from './describe-managed-plans.js';
import { confirmPlan, publishPlan } from './publish-plan.js';
import {
  ExpectedPlan,
  ManagedPlan,
  PlanEnd,
  PlanInput,
  PlanPullers,
  PlanSubmit,
  PlanSunset,
  PlanUpdate,
} from './schemas.js';
import { discardPlan, updatePlan } from './update-plan.js';

const CHANGE_ERRORS = ['plan_not_on_chain', 'plan_removed', 'plan_replaced', 'network_unavailable'] as const;
const END_ERRORS = [
  ...CHANGE_ERRORS,
  'conflict',
  'plan_ended',
  'end_date_stale',
  'end_date_too_soon',
  'end_date_too_far',
] as const;

export const managedPlanOperations = {
  /**
   * Creates a plan as a draft; `publish` it next. `amount` is text, in the token's smallest unit;
   * `period_hours` is 1 to 8760; `retry_wait_minutes` is at least 15. Each of `destinations` must be an
   * address that a wallet can own; for one off the curve, such as the vault of a multisig, set
   * `allow_off_curve_destinations`.
   *
   * Refuses with `not_found`, `invalid_request`, `forbidden`, `end_date_too_soon`, `end_date_too_far`,
   * `mint_not_on_chain`, `mint_not_transferable`, `mint_transfer_hook`, `mint_amount_scaled`,
   * `plan_name_taken`, `slug_taken` or `network_unavailable`.
   *
   * @example
   * // 5 tokens of 6 decimals every 30 days, to the owner's wallet.
   * await shop.plans.create({
   *   slug: 'pro',
   *   name: 'Pro',
   *   owner: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
   *   mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
   *   amount: '5000000',
   *   period_hours: 720,
   * });
   */
  create: operation<(input: PlanInput) => Promise<ManagedPlan>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans',
    input: PlanInput,
    output: ManagedPlan,
    status: 201,
    errors: [
      'forbidden',
      'end_date_too_soon',
      'end_date_too_far',
      'mint_not_on_chain',
      'mint_not_transferable',
      'mint_transfer_hook',
      'mint_amount_scaled',
      'plan_name_taken',
      'slug_taken',
      'network_unavailable',
    ],
    summary: 'Creates a plan as a draft. It takes subscribers once it is published.',
    run: async ({ service, project, input }) =>
      describeManagedPlan(service, project, await createPlan(service, project, input)),
  }),
  /**
   * Builds the transaction that creates a draft on chain, in base64, for its owner's wallet to sign and send.
   *
   * Refuses with `not_found`, `plan_not_found`, `conflict`, `forbidden`, `end_date_too_soon` or
   * `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.plans.publish('pro');
   * // The owner's wallet signs and sends it; then:
   * await shop.plans.confirmPublish('pro');
   */
  publish: operation<(slug: string) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/publish',
    output: BuildAnswer,
    notFound: 'plan_not_found',
    errors: ['conflict', 'forbidden', 'end_date_too_soon', 'network_unavailable'],
    summary: "Builds the transaction that creates a draft on chain, for its owner's wallet to sign and send.",
    run: ({ service, project, slug }) => publishPlan(service, project, slug),
  }),
  /**
   * Publishes a draft that exists on chain with the stored values. When it differs on chain, the draft
   * becomes `failed` and is refused. A plan that is published already is returned unchanged.
   *
   * Refuses with `not_found`, `plan_not_found`, `plan_not_on_chain`, `plan_mismatch` or
   * `network_unavailable`.
   *
   * @example
   * const { status } = await shop.plans.confirmPublish('pro');
   */
  confirmPublish: operation<(slug: string) => Promise<ManagedPlan>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/publish/confirm',
    output: ManagedPlan,
    notFound: 'plan_not_found',
    errors: ['plan_not_on_chain', 'plan_mismatch', 'network_unavailable'],
    summary: 'Publishes a draft that exists on chain with the stored values.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await confirmPlan(service, project, slug)),
  }),
  /**
   * Lists every plan in whatever status, newest first: drafts, failed and closed ones too. Refuses with
   * `not_found`.
   *
   * @example
   * const drafts = (await shop.plans.all()).filter(({ status }) => status === 'draft');
   */
  all: operation<() => Promise<readonly ManagedPlan[]>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/plans',
    output: z.array(ManagedPlan).readonly(),
    summary: 'Every plan of a project in whatever status, newest first.',
    run: async ({ service, project }) =>
      describeManagedPlans(service, project, await service.store.listPlans(project.id, null)),
  }),
  /**
   * Reads a plan in whatever status, except one that failed: its slug is free. Refuses with `not_found` or
   * `plan_not_found`.
   *
   * @example
   * const { status, owner, pullers } = await shop.plans.detail('pro');
   */
  detail: operation<(slug: string) => Promise<ManagedPlan>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/plans/{slug}',
    output: ManagedPlan,
    notFound: 'plan_not_found',
    summary: 'A plan in whatever status, except one whose creation failed.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await requirePlan(service, project, slug)),
  }),
  /**
   * Changes a plan's description, website and logo, which are not on chain, whether a customer who pays with
   * one wallet is refused with another, and the name of a draft. A field that is left out stays as it is.
   *
   * Refuses with `not_found`, `plan_not_found`, `invalid_request`, `plan_name_taken`, or `conflict` for
   * another name of a published plan.
   *
   * @example
   * await shop.plans.update('pro', { description: 'Everything, for teams.' });
   */
  update: operation<(slug: string, changes: PlanUpdate) => Promise<ManagedPlan>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}',
    input: PlanUpdate,
    output: ManagedPlan,
    notFound: 'plan_not_found',
    errors: ['conflict', 'plan_name_taken'],
    summary:
      "Changes a plan's description, website and logo, and the name of a draft. None of them needs a transaction.",
    run: async ({ service, project, slug, input }) =>
      describeManagedPlan(service, project, await updatePlan(service, project, slug, input)),
  }),
  /**
   * Gives up a draft that is not on chain: it becomes `failed`, and frees its name and slug. A transaction
   * that was built for it must not be sent any more.
   *
   * Refuses with `not_found`, `plan_not_found`, `network_unavailable`, or `conflict` for a plan that is no
   * draft or is on chain.
   *
   * @example
   * await shop.plans.discard('pro');
   */
  discard: operation<(slug: string) => Promise<ManagedPlan>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/discard',
    output: ManagedPlan,
    notFound: 'plan_not_found',
    errors: ['conflict', 'network_unavailable'],
    summary: 'Gives up a draft that is not on chain, and frees its name and slug.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await discardPlan(service, project, slug)),
  }),
  /**
   * Builds the transaction after which a plan takes no new subscriber, for good. A plan without an end is
   * given one, `ends_at`; that of another plan may be brought forward.
   *
   * Refuses with `not_found`, `plan_not_found`, `invalid_request`, `plan_not_on_chain`, `plan_removed`,
   * `plan_replaced`, `plan_ended`, `conflict`, `end_date_stale`, `end_date_too_soon`, `end_date_too_far` or
   * `network_unavailable`.
   *
   * @example
   * const { transaction } = await shop.plans.sunset('pro', { ends_at: '2027-06-30T00:00:00Z' });
   * // The owner's wallet signs and sends it; then:
   * await shop.plans.confirmUpdate('pro', { status: 'sunset' });
   */
  sunset: operation<(slug: string, sunset?: PlanSunset) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/sunset',
    input: PlanSunset.prefault({}),
    output: BuildAnswer,
    notFound: 'plan_not_found',
    errors: END_ERRORS,
    summary:
      "Builds the transaction after which a plan takes no new subscriber, for its owner's wallet to sign and send.",
    run: ({ service, project, slug, input }) => sunsetPlan(service, project, slug, input),
  }),
  /**
   * Builds the transaction that gives a plan an end, or an earlier one: at least one period and five minutes
   * away. An end is never removed or moved later.
   *
   * Refuses with `not_found`, `plan_not_found`, `invalid_request`, `plan_not_on_chain`, `plan_removed`,
   * `plan_replaced`, `plan_ended`, `end_date_stale` when the end changed on chain meanwhile,
   * `end_date_too_soon`, `end_date_too_far`, `network_unavailable`, or `conflict` for a sunset plan.
   *
   * @example
   * const ends_at = '2027-06-30T00:00:00Z';
   * const { transaction } = await shop.plans.shorten('pro', { ends_at });
   * // The owner's wallet signs and sends it; then:
   * await shop.plans.confirmUpdate('pro', { ends_at });
   */
  shorten: operation<(slug: string, end: PlanEnd) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/shorten',
    input: PlanEnd,
    output: BuildAnswer,
    notFound: 'plan_not_found',
    errors: END_ERRORS,
    summary:
      "Builds the transaction that gives a plan an end, or an earlier one, for its owner's wallet to sign and send.",
    run: ({ service, project, slug, input }) => shortenPlan(service, project, slug, input),
  }),
  /**
   * Builds the transaction that replaces the wallets, at most 4, which may charge a plan besides its owner.
   * The service's charger must be one of them unless `without_charger` is true. A sunset plan can only lose
   * pullers.
   *
   * Refuses with `not_found`, `plan_not_found`, `invalid_request`, `plan_not_on_chain`, `plan_removed`,
   * `plan_replaced`, `plan_ended`, `conflict` or `network_unavailable`.
   *
   * @example
   * const pullers = [billing.service.chain.charger];
   * const { transaction } = await shop.plans.changePullers('pro', { pullers });
   * // The owner's wallet signs and sends it; then:
   * await shop.plans.confirmUpdate('pro', { pullers });
   */
  changePullers: operation<(slug: string, pullers: PlanPullers) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/pullers',
    input: PlanPullers,
    output: BuildAnswer,
    notFound: 'plan_not_found',
    errors: [...CHANGE_ERRORS, 'conflict', 'plan_ended'],
    summary:
      "Builds the transaction that replaces the wallets which may charge a plan, for its owner's wallet to sign and send.",
    run: ({ service, project, slug, input }) => changePullers(service, project, slug, input),
  }),
  /**
   * Sends a transaction of `publish`, `sunset`, `shorten`, `changePullers` or `delete` that the wallet of the
   * owner signed and did not send. Confirm it next: it may land a little later. Sending it twice is harmless,
   * and one that has landed is refused: confirm it all the same.
   *
   * Refuses with `not_found`, `plan_not_found`, `invalid_request`, `not_our_transaction` for one that the
   * owner did not sign or that is about something else, `transaction_expired`, `transaction_refused` for one
   * that the chain would refuse, or `network_unavailable`.
   *
   * @example
   * // What the owner's wallet made of the transaction of `publish`, in base64.
   * const transaction = 'AVq3…';
   * await shop.plans.submit('pro', { transaction });
   * await shop.plans.confirmPublish('pro');
   */
  submit: operation<(slug: string, signed: PlanSubmit) => Promise<WalletSubmitted>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/submit',
    input: PlanSubmit,
    output: WalletSubmitted,
    notFound: 'plan_not_found',
    errors: ['not_our_transaction', 'transaction_expired', 'transaction_refused', 'network_unavailable'],
    summary: "Sends a transaction about a plan that its owner's wallet signed and did not send.",
    run: ({ service, project, slug, input }) => submitPlan(service, project, slug, input),
  }),
  /**
   * Follows a published plan to what the chain shows now. With `expected`, a plan that differs from it is
   * refused with `plan_mismatch`: the transaction has not landed. Confirming again changes nothing.
   *
   * Refuses with `not_found`, `plan_not_found`, `invalid_request`, `plan_mismatch`, `plan_not_on_chain`,
   * `plan_removed`, `plan_replaced` or `network_unavailable`.
   *
   * @example
   * const { status, ends_at } = await shop.plans.confirmUpdate('pro', { status: 'sunset' });
   */
  confirmUpdate: operation<(slug: string, expected?: ExpectedPlan) => Promise<ManagedPlan>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/confirm',
    input: ExpectedPlan.prefault({}),
    output: ManagedPlan,
    notFound: 'plan_not_found',
    errors: [...CHANGE_ERRORS, 'plan_mismatch'],
    summary: 'Follows a published plan to what the chain shows, and refuses one that is not as expected.',
    run: async ({ service, project, slug, input }) =>
      describeManagedPlan(service, project, await confirmUpdate(service, project, slug, input)),
  }),
  /**
   * Builds the transaction that deletes a plan which has ended, and returns its rent to the owner.
   *
   * Refuses with `not_found`, `plan_not_found`, `plan_not_on_chain`, `plan_removed`, `plan_replaced`,
   * `network_unavailable`, or `conflict` for a plan that has not ended.
   *
   * @example
   * const { transaction } = await shop.plans.delete('pro');
   * // The owner's wallet signs and sends it; then:
   * await shop.plans.confirmDelete('pro');
   */
  delete: operation<(slug: string) => Promise<BuildAnswer>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/delete',
    output: BuildAnswer,
    notFound: 'plan_not_found',
    errors: [...CHANGE_ERRORS, 'conflict'],
    summary:
      "Builds the transaction that deletes a plan which has ended, for its owner's wallet to sign and send.",
    run: ({ service, project, slug }) => deletePlan(service, project, slug),
  }),
  /**
   * Closes a plan that its owner deleted on chain. Until the deletion is final the plan keeps its status, is
   * not available, and is closed within minutes without another call.
   *
   * Refuses with `not_found`, `plan_not_found`, `plan_not_on_chain`, `network_unavailable`, or `conflict` for
   * a plan that is still on chain.
   *
   * @example
   * const { status, available } = await shop.plans.confirmDelete('pro');
   */
  confirmDelete: operation<(slug: string) => Promise<ManagedPlan>>()({
    method: 'POST',
    path: '/manage/v1/projects/{project}/plans/{slug}/delete/confirm',
    output: ManagedPlan,
    notFound: 'plan_not_found',
    errors: ['plan_not_on_chain', 'conflict', 'network_unavailable'],
    summary: 'Closes a plan that its owner deleted on chain.',
    run: async ({ service, project, slug }) =>
      describeManagedPlan(service, project, await confirmDelete(service, project, slug)),
  }),
};
