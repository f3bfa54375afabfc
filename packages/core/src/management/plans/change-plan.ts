import type * as z from 'zod';

import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import type { WalletSubmitted } from '../../contract/wallet.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requirePlan } from '../../operations/require.js';
import { requireSigned, send } from '../../operations/wallets/submit.js';
import type { PlanChanges } from '../../ports/index.js';
import type { Plan, Project } from '../../records/index.js';
import { mayCharge } from '../../rules/plan-on-chain.js';
import type { Service } from '../../service.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { followPlan } from './follow-plan.js';
import { endDateOf } from './plan-limits.js';
import type { PlanEnd, PlanPullers, PlanSubmit, PlanSunset } from './schemas.js';

export async function sunsetPlan(
  service: Service,
  project: Project,
  slug: string,
  { ends_at }: z.output<typeof PlanSunset>,
): Promise<BuildAnswer> {
  const plan = await planWithKnownEnd(service, project, slug);
  if (plan.status === 'sunset')
    throw new ServiceError('conflict', { message: 'The plan is sunset already.' });
  await requireRunning(service, plan);
  if (ends_at === undefined && plan.endsAt === null)
    throw new ServiceError('invalid_request', {
      sentences: ['"ends_at" is needed: the plan has no end, and a sunset needs one.'],
    });
  const endsAt = ends_at === undefined ? {} : { endsAt: earlierEnd(service, plan, ends_at) };
  return buildChange(service, plan, { sunset: true, ...endsAt });
}

export async function shortenPlan(
  service: Service,
  project: Project,
  slug: string,
  { ends_at }: z.output<typeof PlanEnd>,
): Promise<BuildAnswer> {
  const plan = await planWithKnownEnd(service, project, slug);
  if (plan.status === 'sunset')
    throw new ServiceError('conflict', { message: 'The plan is sunset, so its end stays as it is.' });
  await requireRunning(service, plan);
  return buildChange(service, plan, { endsAt: earlierEnd(service, plan, ends_at) });
}

export async function changePullers(
  service: Service,
  project: Project,
  slug: string,
  { pullers, without_charger }: z.output<typeof PlanPullers>,
): Promise<BuildAnswer> {
  const { plan } = await followPlan(service, project, slug);
  const { charger } = service.chain;
  if (!without_charger && !mayCharge({ owner: plan.owner, pullers }, charger))
    throw new ServiceError('invalid_request', {
      sentences: [
        `"pullers" must have the service's charger ${charger}, or nothing is charged: set "without_charger" to true if that is intended.`,
      ],
    });
  if (plan.status !== 'sunset') await requireRunning(service, plan);
  else if (pullers.some((puller) => plan.pullers?.includes(puller) !== true))
    throw new ServiceError('conflict', {
      message: 'The plan is sunset, so it can only lose pullers, and gain none.',
    });
  return buildChange(service, plan, { pullers });
}

export async function deletePlan(service: Service, project: Project, slug: string): Promise<BuildAnswer> {
  const draft = await requirePlan(service, project, slug);
  if (draft.status === 'draft')
    throw new ServiceError('plan_not_on_chain', {
      message: 'The plan is a draft and not on chain. Discard it instead.',
    });
  const { plan } = await followPlan(service, project, slug);
  if (!(await hasEnded(service, plan)))
    throw new ServiceError('conflict', {
      message:
        plan.endsAt === null
          ? 'The plan has no end, and only a plan that has ended can be deleted. Give it an end first.'
          : `The plan ends at ${toWireDate(plan.endsAt)}, and can be deleted after that.`,
    });
  const { owner, address } = plan;
  return buildAnswer(requireAnswer(await service.chain.build({ kind: 'delete_plan', owner, address })));
}

/**
 * Sends what the owner's wallet only signed, of a plan in whatever status. What has landed already is refused
 * like anything that can no longer land: a confirmation tells them apart.
 */
export async function submitPlan(
  service: Service,
  project: Project,
  slug: string,
  { transaction }: z.output<typeof PlanSubmit>,
): Promise<WalletSubmitted> {
  const { chain } = service;
  const { owner, address } = await requirePlan(service, project, slug);
  const signature = await requireSigned(service, transaction, owner, address, 'plan');
  if (requireAnswer(await chain.readLifetime(transaction)) === null)
    throw new ServiceError('transaction_expired');
  const refusal = requireAnswer(await chain.simulate(transaction));
  if (refusal !== null)
    throw new ServiceError('transaction_refused', {
      message: `The chain would refuse this transaction: ${refusal.cause}. Nothing was sent. Once that has changed, build a fresh one.`,
      cause: refusal,
    });
  return send(service, transaction, signature);
}

/**
 * Reads a plan whose end is to change. Throws `end_date_stale` when the chain has another end than the
 * record.
 */
async function planWithKnownEnd(service: Service, project: Project, slug: string): Promise<Plan> {
  const { before, plan } = await followPlan(service, project, slug);
  if (before.endsAt?.getTime() !== plan.endsAt?.getTime()) throw new ServiceError('end_date_stale');
  return plan;
}

async function requireRunning(service: Service, plan: Plan): Promise<void> {
  if (await hasEnded(service, plan)) throw new ServiceError('plan_ended');
}

/** By the clock of the chain, which counts the last second as part of the plan. */
async function hasEnded({ chain }: Service, { endsAt }: Plan): Promise<boolean> {
  return endsAt !== null && requireAnswer(await chain.head()).time > endsAt;
}

function earlierEnd(service: Service, plan: Plan, text: string): Date {
  const endsAt = endDateOf(service, text, plan.periodHours);
  if (plan.endsAt !== null && endsAt > plan.endsAt)
    throw new ServiceError('end_date_too_far', {
      message: `The plan ends at ${toWireDate(plan.endsAt)}, and an end can only be brought forward.`,
    });
  return endsAt;
}

async function buildChange(
  { chain }: Service,
  { owner, address }: Plan,
  changes: PlanChanges,
): Promise<BuildAnswer> {
  return buildAnswer(requireAnswer(await chain.build({ kind: 'update_plan', owner, address, changes })));
}
