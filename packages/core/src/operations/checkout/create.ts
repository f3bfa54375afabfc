import { commitChanges } from '../../commits/commit-changes.js';
import { type SubscriptionCustomer, newSubscription } from '../../commits/new-subscription.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { CreateAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { CreateBody } from '../../contract/requests.js';
import type { Store } from '../../ports/index.js';
import type { Plan, Project, Session, Subscription } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import { ownerOfPending, sameCustomer } from '../../rules/customer.js';
import { ownAccount } from '../../rules/incarnation.js';
import { endedAsGone } from '../../rules/reinstatement.js';
import type { Service } from '../../service.js';
import { reinstateIfFound } from '../read-chain.js';
import { requireWallet, requirePlan } from '../require.js';
import { checkoutKind, requireComebackNow } from './checkout-kind.js';
import { CHECKOUT_MS, issueCheckout } from './issue-checkout.js';
import { requireOnlyOne } from './one-per-customer.js';
import { customerOf, replacing, requireOwnReplaced, requireReplaceable } from './plan-change.js';
import { buildFirstPayment, readCheckout, requireCheckout } from './preconditions.js';
import { roomForLink } from './room-for-link.js';
import { requireSeat } from './seats.js';
import { settledUnseen } from './unseen-checkouts.js';

/** The most pending subscriptions of a project, and of a customer or a session (checkout#pending-caps). */
const PENDING_PER_PROJECT = 1_000;
const PENDING_PER_CUSTOMER = 10;

/** A session without a named customer, which finds its own subscriptions alone. */
interface ReservingSession extends Pick<Session, 'id' | 'linkId'> {
  /** Whether the session may reserve no other subscription (checkout-sessions#session-that-is-full). */
  readonly isFull: boolean;
}

/**
 * Reserves a subscription and returns its terms with the transaction to sign. Repeated before anything
 * landed, it returns the same subscription with a fresh transaction (checkout#repeated-create-is-idempotent).
 */
export async function createSubscription(
  service: Service,
  project: Project,
  body: CreateBody,
  session: ReservingSession | null = null,
): Promise<CreateAnswer> {
  const since = service.clock.now();
  const plan = await requirePlan(service, project, body.plan);
  if (plan.status === 'draft') throw new ServiceError('plan_not_on_chain');
  if (plan.status === 'closed' || plan.status === 'failed') throw new ServiceError('plan_not_found');
  const reads = await readCheckout(service, plan, body.wallet);
  requireWallet('wallet', reads.payer);
  requireCheckout(service, plan, reads);
  const { view } = reads;
  return retryOnConflict(service.clock, async () => {
    const subscriptions = await service.store.listByWalletAndPlan(plan.id, body.wallet);
    if (await settledUnseen(service, { project, plan }, subscriptions, view)) return 'lost';
    const gone = subscriptions.find((one) => endedAsGone(one) && ownAccount(view, one, plan) !== null);
    if (gone !== undefined && (await reinstateIfFound(service, { project, plan, subscription: gone })))
      return 'lost';
    const replaced = await requireOwnReplaced(service, project, body);
    if (replaced !== null) await requireReplaceable(service, replaced);
    const checkout = replacing(checkoutKind(plan, subscriptions, view), replaced);
    const customer = customerOf(body, replaced?.subscription ?? null, session);
    await requireOnlyOne(service, plan, customer);
    await requireComebackNow(service, checkout, plan, subscriptions, view);
    await requireSeat(service, project, body.wallet);
    const pending = findPending(subscriptions, customer);
    // Before the money: a customer tops up for a checkout that can begin.
    if (pending === undefined && session?.isFull === true) throw new ServiceError('session_full');
    const built = await buildFirstPayment(service, { ...reads, plan, wallet: body.wallet, checkout });
    const subscription = pending ?? (await openInTurn(service, project, plan, customer));
    if (subscription === 'lost') return 'lost';
    // A pending subscription gets the email of this call.
    const isStored = subscriptions.some(
      ({ id, email }) => id === subscription.id && email === subscription.email,
    );
    const issued = { plan, project, subscription, view, kind: checkout.kind, replaced };
    return issueCheckout(service, issued, built, isStored ? since : null);
  });
}

function findPending(
  subscriptions: readonly Subscription[],
  customer: SubscriptionCustomer,
): Subscription | undefined {
  const wanted = ownerOfPending(customer);
  const pending = subscriptions.find(
    (one) =>
      one.status === 'pending' &&
      one.previousId === customer.previousId &&
      sameCustomer(ownerOfPending(one), wanted),
  );
  return pending && { ...pending, email: customer.email ?? pending.email };
}

/** Opens a checkout, and one of a link after those before it, whose count its own cap needs. */
function openInTurn(...args: Parameters<typeof openCheckout>): ReturnType<typeof openCheckout> {
  const [{ linkCheckouts }, , , { reservedByLink }] = args;
  const open = () => openCheckout(...args);
  return reservedByLink === null ? open() : linkCheckouts.run(open);
}

/** Stores a new pending subscription. Returns `lost` when a concurrent call stored one first. */
async function openCheckout(
  service: Service,
  project: Project,
  plan: Plan,
  customer: SubscriptionCustomer,
): Promise<Subscription | 'lost'> {
  const now = service.clock.now();
  requireRoom(await service.store.countPending(plan.projectId, ownerOfPending(customer)), now);
  const subscription = await newSubscription(service, plan, customer, plus(now, CHECKOUT_MS), now);
  const changes = new SubscriptionChanges(service, { project, plan, subscription });
  changes.apply({ kind: 'checkout_opened' }, now);
  const expired = customer.reservedByLink === null ? null : await roomForLink(service, project, now);
  if (expired !== null) changes.alsoCommit(expired);
  return (await commitChanges(service, changes)) === 'lost' ? 'lost' : changes.subscription;
}

/**
 * Refuses another pending subscription over a cap. `retryAfter` is the time until each reached cap has room
 * (checkout#pending-caps).
 */
function requireRoom({ project, customer }: Awaited<ReturnType<Store['countPending']>>, now: Date): void {
  const full = [
    ...(project.count >= PENDING_PER_PROJECT ? [project] : []),
    ...(customer.count >= PENDING_PER_CUSTOMER ? [customer] : []),
  ];
  if (full.length === 0) return;
  const waits = full.map(({ oldestExpiresAt }) => (oldestExpiresAt ?? now).getTime() - now.getTime());
  const retryAfter = Math.max(1, Math.ceil(Math.max(...waits) / 1000));
  throw new ServiceError('pending_cap_reached', { retryAfter });
}
