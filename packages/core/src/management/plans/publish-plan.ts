import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requirePlan } from '../../operations/require.js';
import { PUBLISHED, type Plan, type Project } from '../../records/index.js';
import { planAsRead, matchesRecord } from '../../rules/plan-on-chain.js';
import { limitsOf } from '../../rules/project-limits.js';
import type { Service } from '../../service.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { endDateOf } from './plan-limits.js';

const MAX_METADATA_BYTES = 128;

export async function publishPlan(service: Service, project: Project, slug: string): Promise<BuildAnswer> {
  const plan = await requirePlan(service, project, slug);
  if (plan.status !== 'draft')
    throw new ServiceError('conflict', {
      message: `The plan is not a draft: its status is ${plan.status}. Only a draft can be published.`,
    });
  const limit = limitsOf(project, service.settings.tiers).publishedPlans;
  const published = await service.store.listPlans(project.id, PUBLISHED);
  if (limit !== null && published.length >= limit)
    throw new ServiceError('forbidden', {
      message: `The project may have ${limit} published ${limit === 1 ? 'plan' : 'plans'}, and it has ${published.length}.`,
    });
  // The draft may be old, and the program refuses an end that has come too near.
  if (plan.endsAt !== null) endDateOf(service, plan.endsAt.toISOString(), plan.periodHours);
  const built = requireAnswer(
    await service.chain.build({
      kind: 'create_plan',
      owner: plan.owner,
      number: plan.number,
      mint: plan.mint,
      tokenProgram: plan.tokenProgram,
      amount: plan.amount,
      periodHours: plan.periodHours,
      endsAt: plan.endsAt,
      destinations: plan.destinations,
      pullers: [service.chain.charger],
      metadata: metadataOf(plan),
    }),
  );
  return buildAnswer(built);
}

/** Publishes a draft that is on chain with the stored values. A draft that differs there becomes `failed`. */
export async function confirmPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (plan.status !== 'draft') return plan;
  const view = requireAnswer(await service.chain.readPlan(plan.address));
  if (view === null)
    throw new ServiceError('plan_not_on_chain', {
      message:
        'The plan is not on chain yet. Have its owner sign and send the transaction, then confirm again.',
    });
  const matches = matchesRecord(plan, view, service.chain.charger);
  const asRead = planAsRead({ ...plan, createdOnChainAt: view.createdAt, status: 'active' }, view);
  const published: Plan = {
    ...asRead,
    version: plan.version + 1,
    status: matches ? asRead.status : 'failed',
    nextCheckAt: matches ? service.clock.now() : null,
  };
  if ((await service.store.updatePlan(published)) === 'lost') return requirePlan(service, project, slug);
  if (published.status === 'failed') throw new ServiceError('plan_mismatch');
  return published;
}

/** The plan's name as JSON, for readers of the chain; empty when it is too long for the program. */
function metadataOf(plan: Plan): string {
  const metadata = JSON.stringify({ n: plan.name });
  return new TextEncoder().encode(metadata).length <= MAX_METADATA_BYTES ? metadata : '';
}
