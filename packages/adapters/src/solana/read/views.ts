import { SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT, type ReadonlyUint8Array } from '@solana/kit';
import type { ChainResult, PlanView, SubscriptionView } from '@subrail/core/ports';
import {
  type PlanAccount,
  type SubscriptionAccount,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
  withoutEmptySlots,
} from '../program/accounts.js';
import { SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import type { Account } from '../rpc/accounts.js';
import { decodeClock, fromUnixSeconds, fromUnixSecondsOrNull } from '../program/unix-time.js';

/**
 * Creates a reader of one kind of account; null when the program has no account there. An unknown layout is
 * an error with a number, not a missing account (program#unknown-account-versions).
 */
function readerOf<Layout, View>(
  decode: (data: ReadonlyUint8Array) => Layout | null,
  view: (layout: Layout) => View,
): (account: Account | null) => ChainResult<View | null> {
  return (account) => {
    if (account === null || account.owner !== SUBSCRIPTIONS_PROGRAM) return { ok: true, value: null };
    const layout = decode(account.data);
    if (layout !== null) return { ok: true, value: view(layout) };
    return {
      ok: false,
      unavailable: { kind: 'rpc', code: SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT },
    };
  };
}

export const readPlanView = readerOf(decodePlan, (plan: PlanAccount): PlanView => ({
  owner: plan.owner,
  mint: plan.mint,
  amount: plan.amount,
  periodHours: Number(plan.periodHours),
  createdAt: fromUnixSeconds(plan.createdAt),
  endsAt: fromUnixSecondsOrNull(plan.endTs),
  sunset: plan.status === 0,
  destinations: withoutEmptySlots(plan.destinations),
  pullers: withoutEmptySlots(plan.pullers),
}));

export const readSubscriptionView = readerOf(decodeSubscription, subscriptionView);

export const readGeneration = readerOf(decodeAuthority, (authority) => authority.initId);

/** Reads the chain's time from the Clock sysvar; null when the account is missing or too short. */
export function readClock(account: Account | null): Date | null {
  return account === null ? null : decodeClock(account.data);
}

/** Shows the fields of a subscription as the port has them. */
export function subscriptionView(subscription: SubscriptionAccount): SubscriptionView {
  return {
    generation: subscription.initId,
    planCreatedAt: fromUnixSeconds(subscription.planCreatedAt),
    payer: subscription.payer,
    amount: subscription.amount,
    periodHours: Number(subscription.periodHours),
    periodStart: fromUnixSeconds(subscription.periodStart),
    pulled: subscription.pulled,
    expiresAt: fromUnixSecondsOrNull(subscription.expiresAt),
  };
}
