import type { SubscriptionContext } from '../../commits/subscription-context.js';
import { type ErrorCode, ServiceError } from '../../contract/errors.js';
import type { ChargeView, SubscriptionView } from '../../ports/index.js';
import type { Plan, Subscription } from '../../records/index.js';
import { amountDueAt } from '../../rules/amount-due.js';
import { type Period, LAST_MINUTES_MS, periodFrom, plus } from '../../rules/billing-periods.js';
import { sameTerms } from '../../rules/decide.js';
import { ownAccount } from '../../rules/incarnation.js';
import type { Service } from '../../service.js';
import { readOutcome } from '../../settlement/read-outcomes.js';

/** A new subscription on chain, or a comeback over a stopped one (coming-back#who-can-come-back). */
export type CheckoutKind =
  | { readonly kind: 'subscribe' }
  | {
      readonly kind: 'change';
      /** The running subscription to another plan in whose place it comes. */
      readonly replaced: SubscriptionContext;
    }
  | {
      readonly kind: 'comeback';
      /** The stopped subscription that the comeback replaces. */
      readonly previous: Subscription;
      /** Its account on chain. */
      readonly account: SubscriptionView;
    };

const NOT_ON_RECORD =
  'The wallet has a subscription to this plan on chain that is not on record here: it was made without this service, or was paid after the backup that was restored. This service does not charge it, and it gives no access. The wallet can cancel it on chain, close it once its period is over, and then subscribe again.';

/**
 * Finds the kind of checkout that a wallet needs, or refuses the wallet for a subscription it already has
 * (checkout#wallet-already-on-the-plan).
 * @param subscriptions all of the wallet's subscriptions to the plan
 */
export function checkoutKind(
  plan: Plan,
  subscriptions: readonly Subscription[],
  view: ChargeView,
): CheckoutKind {
  for (const { status, cancellation } of subscriptions) {
    const code = runningCode(status);
    if (code === 'subscription_cancelled') {
      throw stillCancelled(view.subscription?.expiresAt ?? cancellation?.expiresAt ?? null, view.time);
    }
    if (code !== null) throw new ServiceError(code);
  }
  const account = view.subscription;
  if (account === null) return { kind: 'subscribe' };
  const previous = subscriptions.find((subscription) => ownAccount(view, subscription, plan) !== null);
  if (previous?.status !== 'stopped') {
    if (account.expiresAt !== null) throw stillCancelled(account.expiresAt, view.time);
    // The payment of a checkout that failed is on record, though its account is not.
    const isKnown = previous !== undefined || subscriptions.some(({ status }) => status === 'failed');
    throw new ServiceError('already_subscribed', isKnown ? {} : { message: NOT_ON_RECORD });
  }
  const authorityClosed =
    previous.stopReason === 'authority_closed' || view.authority.generation !== account.generation;
  if (authorityClosed || account.expiresAt !== null) throw new ServiceError('subscription_stopped');
  if (view.plan === null || !sameTerms(account, view.plan))
    throw new ServiceError('subscription_terms_changed');
  return { kind: 'comeback', previous, account };
}

/** Refuses a comeback that cannot be made now, though perhaps later (coming-back#comeback-refusals). */
export async function requireComebackNow(
  service: Service,
  checkout: CheckoutKind,
  plan: Plan,
  subscriptions: readonly Subscription[],
  view: ChargeView,
): Promise<void> {
  if (checkout.kind !== 'comeback') return;
  const due = amountDueAt(checkout.account, view.plan?.endsAt ?? null, view.time);
  // A comeback asks for the full price, so it cannot pay a period that is part paid already.
  if (due.amount < plan.amount) {
    throw new ServiceError('comeback_landed', {
      message: 'The period in progress is paid on chain already. Come back when it is over.',
    });
  }
  await refuseConcurrentComeback(service, subscriptions);
  refuseNearBoundary(periodFrom(due.periodStart, plan), view.time);
}

/** The code that refuses a wallet with a subscription of this status; null for none. */
function runningCode(status: Subscription['status']): ErrorCode | null {
  switch (status) {
    case 'active':
      return 'already_subscribed';
    case 'unpaid':
      return 'payment_pending';
    case 'cancelled':
      return 'subscription_cancelled';
    case 'pending':
    case 'stopped':
    case 'ended':
    case 'failed':
    case 'expired':
    case 'superseded':
      return null;
  }
}

/**
 * The refusal of a wallet that has to close a cancelled subscription first
 * (cancel-resume-close#close-before-subscribing-again).
 */
function stillCancelled(end: Date | null, now: Date): ServiceError {
  const message =
    end !== null && now < end
      ? `The subscription is cancelled and runs until ${end.toISOString()}. Close it from then on, then subscribe again.`
      : 'The subscription is cancelled and its end has passed. Close it first, then subscribe again.';
  return new ServiceError('subscription_cancelled', { message });
}

/**
 * Refuses a comeback while another of the wallet may land, because two could pay two periods
 * (coming-back#concurrent-comebacks).
 */
async function refuseConcurrentComeback(
  service: Service,
  subscriptions: readonly Subscription[],
): Promise<void> {
  for (const { id, status } of subscriptions) {
    if (status !== 'pending') continue;
    const transfer = await service.store.findOpenTransfer(id);
    if (transfer?.kind !== 'comeback') continue;
    const outcome = await readOutcome(service, transfer);
    throw new ServiceError(outcome.kind === 'landed' ? 'comeback_landed' : 'comeback_in_flight');
  }
}

/** The clocks of the chain's nodes may disagree about a boundary for this long. */
const CLOCKS_AGREE_MS = 30_000;

/** Refuses a comeback that may land in the next period (coming-back#comeback-near-a-boundary). */
function refuseNearBoundary({ start, end }: Period, now: Date): void {
  const earliest = plus(start, CLOCKS_AGREE_MS);
  const possibleAt =
    now < earliest ? earliest : now >= plus(end, -LAST_MINUTES_MS) ? plus(end, CLOCKS_AGREE_MS) : null;
  if (possibleAt === null) return;
  const retryAfter = Math.ceil((possibleAt.getTime() - now.getTime()) / 1000);
  throw new ServiceError('comeback_period_rolling', { retryAfter });
}
