import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { requireAnswer } from '../../operations/read-chain.js';
import { requireChargeableMint, requireWallet, NO_WALLET } from '../../operations/require.js';
import { type Plan, type Project, newId } from '../../records/index.js';
import { ownNames } from '../../rules/token-name.js';
import type { Service } from '../../service.js';
import { endDateOf, requireShortTerms } from './plan-limits.js';
import type { PlanInput } from './schemas.js';
import { slugOf } from './slug.js';

export async function createPlan(
  service: Service,
  project: Project,
  input: z.output<typeof PlanInput>,
): Promise<Plan> {
  const tier = service.settings.tiers[project.tier];
  if (input.retry_attempts !== null && !tier.automaticRetries)
    throw new ServiceError('forbidden', {
      message:
        "The project's tier has no automatic retries. Leave retry_attempts and retry_wait_minutes out.",
    });
  const now = service.clock.now();
  const endsAt = input.ends_at === null ? null : endDateOf(service, input.ends_at, input.period_hours);
  requireOtherWallets(service, input);
  requireWallet('owner', requireAnswer(await service.chain.readAddress(input.owner)));
  await requireReceivable(service, input);
  const mint = requireAnswer(await service.chain.readMint(input.mint));
  requireChargeableMint(mint);
  // The price was typed in whole tokens, and a published price never changes.
  if (input.decimals !== undefined && input.decimals !== mint.decimals)
    throw new ServiceError('invalid_request', {
      sentences: [
        `The token has ${mint.decimals} decimals and not ${input.decimals}, so "amount" is another price.`,
      ],
    });
  // Signed terms say a price as wallets show it, which scaling changes (plans#tokens-that-can-be-charged).
  if (mint.scaled) throw new ServiceError('mint_amount_scaled');
  const number = service.random.bytes(8).reduce((bits, byte) => bits * 256n + BigInt(byte), 0n);
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

/** Refuses the charger as owner or destination, unless the settings allow it. */
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

const INTENDED =
  ': set "allow_off_curve_destinations" to true if a program, such as a multisig, pays out what it receives';

/**
 * Refuses destinations that no wallet can own, with a sentence for each (plans#addresses-that-can-receive).
 */
async function requireReceivable(
  { chain }: Service,
  { destinations, allow_off_curve_destinations }: z.output<typeof PlanInput>,
): Promise<void> {
  const kinds = await Promise.all(
    destinations.map(async (destination) => requireAnswer(await chain.readAddress(destination)).kind),
  );
  const sentences = kinds.flatMap((kind, index) =>
    kind === 'wallet' || (kind === 'off_curve' && allow_off_curve_destinations)
      ? []
      : [`Item ${index + 1} of "destinations" ${NO_WALLET[kind]}${kind === 'off_curve' ? INTENDED : ''}.`],
  );
  if (sentences.length > 0) throw new ServiceError('invalid_request', { sentences });
}
