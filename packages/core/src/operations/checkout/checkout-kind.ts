import type { ErrorCode } from '../../contract/errors.js';
import { ServiceError } from '../../contract/errors.js';
import { signatureQuery } from '../../commits/subscription-changes.js';
import type { ChargeView, SubscriptionView } from '../../ports/index.js';
import type { Plan, Subscription } from '../../records/index.js';
import { sameTerms } from '../../rules/decide.js';
import { LAST_MINUTES_MS, periodFrom, plus } from '../../rules/billing-periods.js';
import { ownAccount } from '../../rules/incarnation.js';
import { amountDueAt } from '../../rules/amount-due.js';
import type { Service } from '../../service.js';

/** How a wallet gets onto a plan now: by a new subscription on chain, or over one that stopped and stands there still (coming-back#who-can-come-back). */
export type CheckoutKind =
  | { readonly kind: 'subscribe' }
  | { readonly kind: 'comeback'; readonly over: Subscription; readonly account: SubscriptionView };

/**
 * Finds the way in, or refuses a wallet for what it has on the plan already (checkout#order-of-create-refusals, from already_subscribed to
 * subscription_terms_changed). `subscriptions` are all of the wallet's to the plan.
 */
export function checkoutKind(plan: Plan, subscriptions: readonly Subscription[], view: ChargeView): CheckoutKind {
  for (const { status, cancellation } of subscriptions) {
    const code = runningCode(status);
    if (code === 'subscription_cancelled') {
      throw stillCancelled(view.subscription?.expiresAt ?? cancellation?.expiresAt ?? null, view.time);
    }
    if (code !== null) throw new ServiceError(code);
  }
  const account = view.subscription;
  if (account === null) return { kind: 'subscribe' };
  const over = subscriptions.find((one) => ownAccount(view, one, plan) !== null);
  if (over?.status !== 'stopped') {
    throw account.expiresAt === null
      ? new ServiceError('already_subscribed')
      : stillCancelled(account.expiresAt, view.time);
  }
  const closed = over.stopReason === 'authority_closed' || view.authority.generation !== account.generation;
  if (closed || account.expiresAt !== null) throw new ServiceError('subscription_stopped');
  if (view.plan === null || !sameTerms(account, view.plan))
    throw new ServiceError('subscription_terms_changed');
  return { kind: 'comeback', over, account };
}

/** Refuses a return that cannot be made now, though it may be later (checkout#order-of-create-refusals, from comeback_landed to comeback_period_rolling). */
export async function requireComebackNow(
  service: Service,
  way: CheckoutKind,
  plan: Plan,
  subscriptions: readonly Subscription[],
  view: ChargeView,
): Promise<void> {
  if (way.kind !== 'comeback') return;
  const owed = amountDueAt(way.account, view.plan?.endsAt ?? null, view.time);
  // The price is asked in full, so a period that is paid in part already cannot be paid by it.
  if (owed.amount < plan.amount) {
    throw new ServiceError('comeback_landed', {
      message: 'The period in progress is paid on chain already. Come back when it is over.',
    });
  }
  await refuseEarlierComeback(service, subscriptions);
  refuseRollingPeriod(periodFrom(owed.periodStart, plan), view.time);
}

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

/** What a cancellation leaves to do before the wallet can subscribe again. `end` as the chain has it (cancel-resume-close#close-before-subscribing-again). */
function stillCancelled(end: Date | null, now: Date): ServiceError {
  const message =
    end !== null && now < end
      ? `The subscription is cancelled and runs until ${end.toISOString()}. Close it from then on, then subscribe again.`
      : 'The subscription is cancelled and its end has passed. Close it first, then subscribe again.';
  return new ServiceError('subscription_cancelled', { message });
}

/** Two returns of a wallet could pay two periods: while one may still land there is no other. */
async function refuseEarlierComeback(service: Service, subscriptions: readonly Subscription[]): Promise<void> {
  for (const { id, status } of subscriptions) {
    if (status !== 'pending') continue;
    const transfer = await service.store.findOpenTransfer(id);
    if (transfer?.kind !== 'comeback') continue;
    const [outcome] = await service.chain.resolve([signatureQuery(transfer)]);
    throw new ServiceError(outcome?.kind === 'landed' ? 'comeback_landed' : 'comeback_in_flight');
  }
}

/** How long past a boundary the clocks of the chain's nodes are given to agree that it has passed. */
const SETTLED_MS = 30_000;

/** A return signed in one period must not land in the next: none is made near a boundary (coming-back#who-can-come-back). */
function refuseRollingPeriod({ start, end }: { readonly start: Date; readonly end: Date }, now: Date): void {
  const begun = plus(start, SETTLED_MS);
  const over = now < begun ? begun : now >= plus(end, -LAST_MINUTES_MS) ? plus(end, SETTLED_MS) : null;
  if (over === null) return;
  const retryAfter = Math.ceil((over.getTime() - now.getTime()) / 1000);
  throw new ServiceError('comeback_period_rolling', { retryAfter });
}
