import { toAmountText, toWireDate } from '../contract/scalars.js';
import type { WalletSubscription } from '../contract/wallet.js';
import { receiverOf, type Subscription, type Transfer } from '../records/index.js';
import { entitlement } from '../rules/access.js';
import type { At } from '../rules/at.js';
import { displayAmount } from '../rules/money.js';
import { namesInTerms } from '../rules/terms.js';
import { possibleActions } from '../rules/wallet-actions.js';

/** How many payments are shown. */
const LATEST = 5;

/** The reads that it is shown from, besides the subscription. */
export interface WalletFacts {
  /** The terms that the wallet signed last; null when there are none. */
  readonly terms: string | null;
  /** The newest transfers, newest first. */
  readonly transfers: readonly Transfer[];
}

/**
 * A subscription as anybody may see it: only facts of the chain and of the terms that its wallet signed
 * (cancel-page#what-the-page-shows).
 */
export function walletSubscriptionWire(
  subscription: Subscription,
  at: At,
  { terms, transfers }: WalletFacts,
): WalletSubscription {
  const { plan } = at;
  const { status, nextChargeAt, closableFrom } = entitlement(subscription, at);
  const { name, symbol } = namesInTerms(terms ?? '');
  const money = (amount: bigint) => ({
    amount: toAmountText(amount),
    amount_display: displayAmount(amount, plan.decimals),
  });
  const landed = transfers.filter(({ state }) => state === 'landed').slice(0, LATEST);
  return {
    id: subscription.id,
    name,
    status,
    actions: [...possibleActions(subscription, at)],
    address: subscription.address,
    plan_address: plan.address,
    paid_to: receiverOf(plan),
    mint: plan.mint,
    symbol,
    ...money(plan.amount),
    period_hours: plan.periodHours,
    began_at: toWireDate(subscription.confirmedAt),
    paid_until: toWireDate(subscription.paidPeriodEnd),
    next_charge_at: toWireDate(nextChargeAt),
    ends_at: toWireDate(closableFrom),
    plan_ends_at: toWireDate(plan.endsAt),
    payments: {
      count: subscription.paidCount,
      ...money(subscription.paidAmount),
      latest: landed.map(({ signature, amount, createdAt }) => ({
        signature,
        ...money(amount),
        paid_at: toWireDate(createdAt),
      })),
    },
  };
}
