import type { CreateAnswer } from '../../contract/build.js';
import type { CustomerCreateBody, CustomerCreated } from '../../contract/customer.js';
import { ServiceError } from '../../contract/errors.js';
import type { Plan, Subscription, SubscriptionId } from '../../records/index.js';
import { isCharged } from '../../rules/running.js';
import { factsOfTerms } from '../../rules/terms-facts.js';
import type { Service } from '../../service.js';
import { createSubscription } from '../checkout/create.js';
import { requirePlan } from '../require.js';
import {
  asksEmail,
  type CustomerCaller,
  isMadeFor,
  readHistory,
  reserve,
  type SessionHistory,
} from './caller.js';
import { readHoldings } from './holdings.js';
import { offeredPlans } from './offered-plans.js';
import { requireReachable } from './require-reachable.js';

/**
 * The most that a session reserves in all, because each of its calls reads all of it
 * (checkout-sessions#session-that-is-full).
 */
const RESERVED_IN_ALL = 100;

/** Creates a subscription of the caller to an offered plan, and reserves it for the caller's session. */
export async function createOfCustomer(
  service: Service,
  caller: CustomerCaller,
  { plan: slug, wallet, email, replaces }: CustomerCreateBody,
): Promise<CustomerCreated> {
  const { project, session, customer } = caller;
  const history = await readHistory(service, caller);
  requireUnfinished(history);
  if (history.state === 'expired') throw new ServiceError('session_expired');
  if (email != null && !asksEmail(caller))
    throw new ServiceError('invalid_request', {
      sentences: ['"email" must be absent: no email of the customer is asked for here.'],
    });
  const plan = await requireOffered(service, caller, slug, history);
  const known = customer ?? (await customerOfOne(service, caller));
  const buyer = { externalId: known?.externalId ?? null, email: known?.email ?? email ?? null };
  const isFull = history.built.length >= RESERVED_IN_ALL;
  const reserving = customer === null && session !== null ? { ...session, isFull } : null;
  const replaced = await findReplacedId(service, caller, plan, { wallet, replaces });
  const body = {
    plan: slug,
    wallet,
    // A change keeps the customer, whoever has the link of one.
    ...(replaced === null
      ? { external_id: buyer.externalId ?? undefined, email: buyer.email ?? undefined }
      : { replaces: replaced }),
  };
  const created = await createSubscription(service, project, body, reserving);
  await reserve(service, caller, created.subscription.id as SubscriptionId);
  return withFacts(created);
}

/**
 * The subscription that a create of the caller replaces: the named one, which has to be the caller's, or what
 * the wallet pays for the plan from which a link changes (plan-changes#link-of-a-change).
 */
async function findReplacedId(
  service: Service,
  caller: CustomerCaller,
  plan: Plan,
  { wallet, replaces }: Pick<CustomerCreateBody, 'wallet' | 'replaces'>,
): Promise<string | null> {
  if (replaces != null) {
    const { subscription, isOwn } = await requireReachable(service, caller, replaces, { builds: true });
    if (!isOwn) throw new ServiceError('subscription_not_found');
    return subscription.id;
  }
  const replacedPlan = await findReplacedPlan(service, caller);
  if (replacedPlan === null) return null;
  const running = async ({ id }: Plan) =>
    (await service.store.listByWalletAndPlan(id, wallet)).find(({ status }) => isCharged(status));
  const replaced = await running(replacedPlan);
  if (replaced !== undefined) return replaced.id;
  // The link may be followed again after the change.
  const changed = await running(plan);
  if (changed === undefined) throw new ServiceError('nothing_to_replace');
  throw new ServiceError(changed.status === 'active' ? 'already_subscribed' : 'payment_pending');
}

/** The plan from which the link of a caller's session changes; null for any other caller. */
export async function findReplacedPlan(
  { store }: Service,
  { session }: CustomerCaller,
): Promise<Plan | null> {
  const linkId = session?.linkId ?? null;
  const link = linkId === null ? null : await store.findLink(linkId);
  return link === null || link.replacesPlanId === null ? null : store.findPlan(link.replacesPlanId);
}

/** The customer of the one subscription of a portal, who stays the same when paying for its plan anew. */
async function customerOfOne(
  { store }: Service,
  caller: CustomerCaller,
): Promise<Pick<Subscription, 'externalId' | 'email'> | null> {
  const id = caller.session?.subscriptionId ?? null;
  const one = id === null ? null : await store.findSubscription(caller.project.id, id);
  return one !== null && isMadeFor(caller, one) ? one : null;
}

/** Refuses a first payment in a checkout that is paid (checkout-sessions#state-of-a-session). */
export function requireUnfinished({ state }: SessionHistory): void {
  if (state === 'complete') throw new ServiceError('session_complete');
}

/** The answer of a checkout, with its terms as fields too (portal#terms-as-facts). */
export function withFacts(answer: CreateAnswer): CustomerCreated {
  return { ...answer, terms: { ...answer.terms, facts: factsOfTerms(answer.terms.message) } };
}

/**
 * Finds an offered plan. Any other is refused as one that does not exist
 * (checkout-sessions#plans-of-a-session).
 */
async function requireOffered(
  service: Service,
  caller: CustomerCaller,
  slug: string,
  history: SessionHistory,
): Promise<Plan> {
  const { project, session } = caller;
  const plan = await requirePlan(service, project, slug);
  // A checkout names its plans, so nothing of its customer is read.
  const isOffered =
    session?.kind === 'checkout'
      ? session.planIds.includes(plan.id)
      : (await offeredPlans(service, caller, await readHoldings(service, caller, history))).some(
          ({ id }) => id === plan.id,
        );
  if (!isOffered) throw new ServiceError('plan_not_found');
  return plan;
}
