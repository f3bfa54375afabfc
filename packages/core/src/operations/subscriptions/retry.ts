import { commitChanges } from '../../commits/commit-changes.js';
import { retryOnConflict } from '../../commits/retry-on-conflict.js';
import { SubscriptionChanges } from '../../commits/subscription-changes.js';
import { type SubscriptionContext, atNow } from '../../commits/subscription-context.js';
import { ServiceError } from '../../contract/errors.js';
import type { SubscriptionWire } from '../../contract/subscription.js';
import type { ChargeView } from '../../ports/index.js';
import type { Late, Project } from '../../records/index.js';
import type { At } from '../../rules/at.js';
import { periodPaidAt, plus } from '../../rules/billing-periods.js';
import { decide } from '../../rules/decide.js';
import { MANUAL_RETRY_WAIT_MS, manualRetriesSpent } from '../../rules/retry-policy.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { missingTokens } from '../missing-money.js';
import { readChargeView } from '../read-chain.js';
import { requireChargeable, requireNotHeld, requireSubscription } from '../require.js';

/** The first wait on Dev and Business; each retry doubles it (retries#manual-retries-on-dev-and-business). */
const FIRST_WAIT_MS = 20 * 60_000;

/**
 * Queues the charge of a missed period for the worker. While it is queued, a repeated call changes nothing
 * (retries#queued-retry-is-idempotent).
 */
export async function retrySubscription(
  service: Service,
  project: Project,
  id: string,
): Promise<SubscriptionWire> {
  return retryOnConflict(service.clock, async () =>
    queueRetry(service, await requireSubscription(service, project, id)),
  );
}

/** Checks in the order of retries#refusals-of-a-manual-retry. Returns `lost` for a conflict. */
async function queueRetry(
  service: Service,
  context: SubscriptionContext,
): Promise<SubscriptionWire | 'lost'> {
  const { subscription } = context;
  const at = atNow(service, context);
  const { now } = at;
  const { late } = subscription;
  if (subscription.status !== 'unpaid' || late === null) throw new ServiceError('subscription_not_late');
  if (subscription.pausedAt !== null) throw new ServiceError('subscription_paused');
  requireNotHeld(subscription);
  await requireTimeLeft(service, context, late);
  if (manualRetriesSpent(late)) throw new ServiceError('retries_spent');
  const transfer = await service.store.findOpenTransfer(subscription.id);
  if (transfer !== null)
    throw new ServiceError(late.automatic === null ? 'pull_running' : 'subscription_changed');
  if (late.queuedAt !== null) return subscriptionWire(subscription, at);
  requireWaited(late, at);
  await requirePayable(service, context);
  const changes = new SubscriptionChanges(service, context);
  changes.apply({ kind: 'retry_queued' }, now);
  if ((await commitChanges(service, changes)) === 'lost') return 'lost';
  return subscriptionWire(changes.subscription, at);
}

/**
 * Refuses a retry after its deadline, or at the end of its plan, by the chain's clock
 * (billing-periods#deadlines-use-the-chain-clock).
 */
async function requireTimeLeft(
  service: Service,
  { plan, subscription }: SubscriptionContext,
  { automatic, deadline }: Late,
): Promise<void> {
  // The deadline passed unnoticed (retries#deadline-that-passed-unnoticed).
  if (automatic === null && deadline === null) throw new ServiceError('retry_deadline_passed');
  if (plan.endsAt === null && deadline === null) return;
  const { time } = await readChargeView(service, plan, subscription.wallet);
  requireChargeable(time, plan);
  if (deadline !== null && time >= deadline) throw new ServiceError('retry_deadline_passed');
}

/** Refuses a retry too soon after the one before, which on Dev and Business is of the same period. */
function requireWaited({ automatic, byHand, periodStart }: Late, { plan, now }: At): void {
  if (byHand.lastAt === null) return;
  if (automatic !== null && byHand.lastAt < periodPaidAt(plan, periodStart, now)) return;
  const wait = automatic === null ? MANUAL_RETRY_WAIT_MS : FIRST_WAIT_MS * 2 ** (byHand.count - 1);
  const left = plus(byHand.lastAt, wait).getTime() - now.getTime();
  if (left <= 0) return;
  const seconds = Math.ceil(left / 1000);
  throw new ServiceError('retry_too_soon', {
    message: `The wait since the last try is not over. Try again in ${seconds} seconds.`,
    retryAfter: seconds,
  });
}

/**
 * Refuses a retry when a read of the chain shows that it would be rejected. What no money helps is said
 * first, so that nobody adds some in vain (retries#money-that-would-not-help).
 */
async function requirePayable(service: Service, { plan, subscription }: SubscriptionContext): Promise<void> {
  const { late } = subscription;
  const queued = { ...subscription, late: late === null ? null : { ...late, queuedAt: service.clock.now() } };
  const view = await readChargeView(service, plan, subscription.wallet);
  const decisionOf = (read: ChargeView) => decide(queued, plan, read, service.chain.charger, false);
  const decision = decisionOf(view);
  if (decision.kind !== 'charge' || decision.walletCannotPay === null) return;
  const { source } = view;
  // A wallet that opens its token account anew has not approved anything there.
  if (source === null) throw new ServiceError('retry_cannot_succeed');
  const held = source.balance < decision.amount ? decision.amount : source.balance;
  const helped = decisionOf({ ...view, source: { ...source, balance: held } });
  if (helped.kind === 'charge' && helped.walletCannotPay !== null)
    throw new ServiceError('retry_cannot_succeed');
  const missing = await missingTokens(service, plan, source.balance, decision.amount);
  throw new ServiceError('insufficient_balance', { missing });
}
