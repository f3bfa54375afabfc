import type * as z from 'zod';

import type { BuildAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { PlanInput } from './schemas.js';
import type { PlanView } from '../../ports/index.js';
import { PUBLISHED, type Plan, type Project, newId } from '../../records/index.js';
import { planAsRead } from '../../rules/plan-on-chain.js';
import { limitsOf } from '../../rules/project-limits.js';
import { ownNames } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { requireAnswer } from '../../operations/require-answer.js';
import { requireChargeableMint } from '../../operations/require-chargeable.js';
import { requireShortTerms } from './terms-length.js';
import { requireWallet } from '../../operations/require-wallet.js';
import { buildAnswer } from '../../wire/build-answer.js';
import { endDateOf } from './end-date.js';
import { requireReceivable } from './receivable.js';
import { slugOf } from './slug.js';

/** The maximum length of a plan's metadata on chain. */
const MAX_METADATA_BYTES = 128;

/** Creates a plan as a draft. Customers can subscribe to it once it is published. */
export async function createPlan(
  service: Service,
  project: Project,
  input: z.output<typeof PlanInput>,
): Promise<Plan> {
  const tier = service.settings.tiers[project.tier];
  if (input.retry_attempts !== null && !tier.automaticRetries) {
    throw new ServiceError('forbidden', {
      message:
        "The project's tier has no automatic retries. Leave retry_attempts and retry_wait_minutes out.",
    });
  }
  const now = service.clock.now();
  const endsAt =
    input.ends_at === null ? null : endDateOf(service, input.ends_at, { periodHours: input.period_hours });
  requireOtherWallets(service, input);
  requireWallet('owner', requireAnswer(await service.chain.readAddress(input.owner)));
  await requireReceivable(service, input);
  const mint = requireAnswer(await service.chain.readMint(input.mint));
  requireChargeableMint(mint);
  // What was typed in whole tokens is worth another amount then, and a published price never changes.
  if (input.decimals !== undefined && input.decimals !== mint.decimals)
    throw new ServiceError('invalid_request', {
      sentences: [
        `The token has ${mint.decimals} decimals and not ${input.decimals}, so "amount" is another price.`,
      ],
    });
  // Signed terms say a price as wallets show it, and that would not stay (plans#tokens-that-can-be-charged).
  if (mint.scaled) throw new ServiceError('mint_amount_scaled');
  const number = planNumber(service);
  const plan: Plan = {
    id: newId(service.random, 'plan'),
    projectId: project.id,
    version: 1,
    status: 'draft',
    slug: input.slug ?? slugOf(input.name),
    name: input.name,
    description: input.description,
    website: input.website,
    logoUrl: input.logo_url,
    owner: input.owner,
    number,
    address: await service.chain.planAddress(input.owner, number),
    createdOnChainAt: null,
    mint: input.mint,
    tokenProgram: mint.tokenProgram,
    decimals: mint.decimals,
    tokenNames: ownNames(mint.names),
    amount: BigInt(input.amount),
    periodHours: input.period_hours,
    destinations: input.destinations,
    endsAt,
    retryPolicy:
      input.retry_attempts === null || input.retry_wait_minutes === null
        ? null
        : { attempts: input.retry_attempts, waitMs: input.retry_wait_minutes * 60_000 },
    operatorPlan: input.operator_plan,
    onePerCustomer: input.one_per_customer,
    pullers: null,
    goneSince: null,
    nextCheckAt: null,
    createdAt: now,
  };
  requireShortTerms(service, project, plan);
  const inserted = await service.store.insertPlan(plan);
  if (inserted === 'name') throw new ServiceError('plan_name_taken');
  if (inserted === 'slug') throw new ServiceError('slug_taken');
  return plan;
}

/** Refuses the charger as a wallet of the plan, unless the settings allow it. */
function requireOtherWallets(
  { chain, settings }: Service,
  { owner, destinations }: z.output<typeof PlanInput>,
): void {
  if (settings.chargerMayOwnPlans || ![owner, ...destinations].includes(chain.charger)) return;
  const field = owner === chain.charger ? 'owner' : 'destinations';
  throw new ServiceError('invalid_request', {
    sentences: [
      `"${field}" must not name the service's charger ${chain.charger}, whose key is on the machine of the service: use another wallet, or have the operator allow it.`,
    ],
  });
}

/** Builds the transaction that creates a draft on chain, for its owner's wallet to sign and send. */
export async function publishPlan(service: Service, project: Project, slug: string): Promise<BuildAnswer> {
  const plan = await findDraft(service, project, slug);
  const limit = limitsOf(project, service.settings.tiers).publishedPlans;
  const published = await service.store.listPlans(project.id, PUBLISHED);
  if (limit !== null && published.length >= limit) {
    throw new ServiceError('forbidden', {
      message: `The project may have ${limit} published ${limit === 1 ? 'plan' : 'plans'}, and it has ${published.length}.`,
    });
  }
  // The draft may be old, and the program refuses an end that has come too near.
  if (plan.endsAt !== null) endDateOf(service, plan.endsAt.toISOString(), plan);
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

/** Publishes a draft when the plan on chain has the stored values. A plan that differs on chain becomes `failed`. */
export async function confirmPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (plan.status !== 'draft') return plan;
  const view = requireAnswer(await service.chain.readPlan(plan.address));
  if (view === null) {
    throw new ServiceError('plan_not_on_chain', {
      message:
        'The plan is not on chain yet. Have its owner sign and send the transaction, then confirm again.',
    });
  }
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

/** Finds a plan of the project by its slug, in any status. Throws `plan_not_found`. */
export async function requirePlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await service.store.findPlanBySlug(project.id, slug);
  if (plan === null) throw new ServiceError('plan_not_found');
  return plan;
}

/** Whether the plan on chain has the stored values and allows the charger to pull payments. */
export function matchesRecord(plan: Plan, view: PlanView, charger: string): boolean {
  return (
    view.owner === plan.owner &&
    view.mint === plan.mint &&
    view.amount === plan.amount &&
    view.periodHours === plan.periodHours &&
    view.destinations.length === plan.destinations.length &&
    plan.destinations.every((wallet) => view.destinations.includes(wallet)) &&
    (view.owner === charger || view.pullers.includes(charger))
  );
}

async function findDraft(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (plan.status !== 'draft')
    throw new ServiceError('conflict', {
      message: `The plan is not a draft: its status is ${plan.status}. Only a draft can be published.`,
    });
  return plan;
}

/** A number that no other plan of the owner has: 64 random bits. */
function planNumber(service: Service): bigint {
  return service.random.bytes(8).reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

/** The plan's metadata on chain: its name as JSON, or nothing when that is too long. The program does not use it. */
function metadataOf(plan: Plan): string {
  const metadata = JSON.stringify({ n: plan.name });
  return new TextEncoder().encode(metadata).length <= MAX_METADATA_BYTES ? metadata : '';
}
