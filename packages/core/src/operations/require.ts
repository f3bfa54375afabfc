import type { SubscriptionContext } from '../commits/subscription-context.js';
import { ServiceError } from '../contract/errors.js';
import { quoted } from '../contract/validation-messages.js';
import type { AddressKind, AddressView, MintView } from '../ports/index.js';
import {
  type Plan,
  type Project,
  PUBLISHED,
  type ProjectId,
  type Subscription,
  type SubscriptionId,
} from '../records/index.js';
import { chargeable } from '../rules/billing-periods.js';
import { isHeld } from '../rules/running.js';
import type { Service } from '../service.js';

/** Finds a plan of the project by its slug, in any status. Throws `plan_not_found`. */
export async function requirePlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await service.store.findPlanBySlug(project.id, slug);
  if (plan === null) throw new ServiceError('plan_not_found');
  return plan;
}

/** Finds a published plan. Throws `plan_not_found`, also for a draft, a closed and a failed plan. */
export async function requirePublishedPlan(service: Service, project: Project, slug: string): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (!PUBLISHED.includes(plan.status)) throw new ServiceError('plan_not_found');
  return plan;
}

/** Finds a plan that is or was published: a closed one can have subscriptions. Throws `plan_not_found`. */
export async function requireOncePublishedPlan(
  service: Service,
  project: Project,
  slug: string,
): Promise<Plan> {
  const plan = await requirePlan(service, project, slug);
  if (plan.status === 'draft' || plan.status === 'failed') throw new ServiceError('plan_not_found');
  return plan;
}

/** Returns the project with this id. Throws `not_found`. */
export async function requireProject({ store }: Service, id: string): Promise<Project> {
  const project = await store.findProject(id as ProjectId);
  if (project === null)
    throw new ServiceError('not_found', {
      message: `There is no project ${quoted(id)}. List the projects to see those that exist.`,
    });
  return project;
}

/** Finds a subscription of the project, with its plan. Throws `subscription_not_found`. */
export async function requireSubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionContext> {
  const subscription = await service.store.findSubscription(project.id, id as SubscriptionId);
  if (subscription === null) throw new ServiceError('subscription_not_found');
  const plan = await service.store.findPlan(subscription.planId);
  if (plan === null)
    throw new Error(`Plan ${subscription.planId} of subscription ${id} is not in the store.`);
  return { project, plan, subscription };
}

/**
 * Refuses a subscription that a change of plan may still replace (plan-changes#one-change-at-a-time). Throws
 * `change_in_flight`.
 */
export function requireNotHeld(subscription: Subscription): void {
  if (isHeld(subscription)) throw new ServiceError('change_in_flight');
}

/** Why an address of each kind is none that a wallet signs for, as the end of a sentence about it. */
export const NO_WALLET: Readonly<Record<Exclude<AddressKind, 'wallet'>, string>> = {
  program: 'must be the address of a wallet, and it is a program or another address of the chain itself',
  token:
    'must be the address of a wallet, and it is a token or a token account: name the wallet that owns it',
  off_curve: 'must be the address of a wallet, and it is off the curve, so no wallet has its key',
};

/** Refuses an address for which no wallet can sign (plans#addresses-that-can-sign). */
export function requireWallet(field: string, { kind }: AddressView): void {
  if (kind === 'wallet') return;
  throw new ServiceError('invalid_request', { sentences: [`"${field}" ${NO_WALLET[kind]}.`] });
}

/** Refuses a charge of a plan that has ended, or is about to (checkout#plan-about-to-end). */
export function requireChargeable(chainTime: Date, plan: Pick<Plan, 'endsAt'>): void {
  if (chargeable(chainTime, plan)) return;
  throw plan.endsAt !== null && chainTime < plan.endsAt
    ? new ServiceError('plan_ended', {
        message: 'The plan is about to end: nothing is charged in its last two minutes.',
      })
    : new ServiceError('plan_ended');
}

/** Refuses a token that is gone, or that no charge can ever move (plans#tokens-that-can-be-charged). */
export function requireChargeableMint<Mint extends MintView>(mint: Mint | null): asserts mint is Mint {
  if (mint === null) throw new ServiceError('mint_not_on_chain');
  if (!mint.transferable) throw new ServiceError('mint_not_transferable');
  if (mint.hookProgram !== null) throw new ServiceError('mint_transfer_hook');
}
