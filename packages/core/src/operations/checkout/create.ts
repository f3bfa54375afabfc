import type { CreateAnswer } from '../../contract/build.js';
import { ServiceError } from '../../contract/errors.js';
import type { CreateBody } from '../../contract/requests.js';
import type { Store } from '../../ports/index.js';
import type { Plan, Project, Subscription } from '../../records/index.js';
import { newId } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { findPlan } from '../plans/plans.js';
import { requireSeat } from './seats.js';
import { readPayableView, requireBalance } from './require-payable.js';
import { customerOf, sameCustomer } from '../customer.js';
import { PENDING_MS, issueCheckout } from './issue-checkout.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { requireComebackNow, checkoutKind } from './checkout-kind.js';

/** checkout#pending-caps. */
const PENDINGS_OF_PROJECT = 1_000;
const PENDINGS_OF_CUSTOMER = 10;

/**
 * Reserves a subscription and hands out its terms and its transaction (contract, create). Asked again for the same plan,
 * wallet and customer while nothing landed, it answers the same subscription with a fresh transaction (checkout#repeated-create-is-idempotent).
 */
export async function createSubscription(
  service: Service,
  project: Project,
  body: CreateBody,
): Promise<CreateAnswer> {
  const plan = await findPlan(service, project, body.plan);
  if (plan.status === 'draft') throw new ServiceError('plan_not_on_chain');
  if (plan.status === 'closed' || plan.status === 'failed') throw new ServiceError('plan_not_found');
  const view = await readPayableView(service, plan, body.wallet);
  return retryOnConflict(service.clock, async () => {
    const subscriptions = await service.store.listByWalletAndPlan(plan.id, body.wallet);
    const way = checkoutKind(plan, subscriptions, view);
    await requireComebackNow(service, way, plan, subscriptions, view);
    await requireSeat(service, project, body.wallet);
    requireBalance(view, plan);
    const subscription = await pendingFor(service, plan, body, subscriptions);
    return subscription === 'lost' ? 'lost' : issueCheckout(service, { plan, project, subscription, view }, way);
  });
}

/** The open checkout of this customer, with the email named last, or a new one; `lost` when another call made it first. */
async function pendingFor(
  service: Service,
  plan: Plan,
  body: CreateBody,
  subscriptions: readonly Subscription[],
): Promise<Subscription | 'lost'> {
  const asked = { externalId: body.external_id ?? null, email: body.email ?? null, wallet: body.wallet };
  const customer = customerOf(asked);
  const open = subscriptions.find(
    (one) => one.status === 'pending' && sameCustomer(customerOf(one), customer),
  );
  if (open !== undefined) return { ...open, email: asked.email ?? open.email };

  const now = service.clock.now();
  requireRoom(await service.store.countPending(plan.projectId, customer), now);
  const fresh = await newPending(service, plan, asked, now);
  const inserted = await service.store.commit([
    { subscription: fresh, attempts: [], transfers: [], events: [], deliveries: [], signedTerms: null },
  ]);
  return inserted === 'lost' ? 'lost' : fresh;
}

/** checkout#pending-caps: refused until the oldest of those that are counted makes room, under every cap that is reached. */
function requireRoom({ project, customer }: Awaited<ReturnType<Store['countPending']>>, now: Date): void {
  const full = [
    ...(project.count >= PENDINGS_OF_PROJECT ? [project] : []),
    ...(customer.count >= PENDINGS_OF_CUSTOMER ? [customer] : []),
  ];
  if (full.length === 0) return;
  const waits = full.map(({ oldestExpiresAt }) => (oldestExpiresAt ?? now).getTime() - now.getTime());
  const retryAfter = Math.max(1, Math.ceil(Math.max(...waits) / 1000));
  throw new ServiceError('pending_cap_reached', { retryAfter });
}

async function newPending(
  service: Service,
  plan: Plan,
  asked: { readonly externalId: string | null; readonly email: string | null; readonly wallet: string },
  now: Date,
): Promise<Subscription> {
  const checkoutExpiresAt = plus(now, PENDING_MS);
  return {
    ...asked,
    id: newId(service.random, 'sub'),
    projectId: plan.projectId,
    planId: plan.id,
    version: 1,
    status: 'pending',
    address: await service.chain.subscriptionAddress(plan.address, asked.wallet),
    incarnation: null,
    endReason: null,
    lateReason: null,
    stopReason: null,
    pausedAt: null,
    blockedSince: null,
    blockedReason: null,
    paidPeriodStart: null,
    paidPeriodEnd: null,
    missedUntil: null,
    late: null,
    cancellation: null,
    nextTryAt: null,
    goneSince: null,
    termsSigned: false,
    checkoutExpiresAt,
    terms: null,
    built: null,
    lastAnnouncedAccess: false,
    lastSequence: 0,
    lastEventAt: null,
    paidCount: 0,
    paidAmount: 0n,
    previousId: null,
    createdAt: now,
    confirmedAt: null,
    closedAt: null,
    wakeAt: checkoutExpiresAt,
  };
}
