import {
  SOLANA_ERROR__ACCOUNTS__FAILED_TO_DECODE_ACCOUNT,
  type ReadonlyUint8Array,
  getI64Decoder,
} from '@solana/kit';
import type { Answer, PlanView, SubscriptionView } from '@subrail/core/ports';
import {
  type PlanAccount,
  type SubscriptionAccount,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
  listed,
} from './program/accounts.js';
import { SUBSCRIPTIONS_PROGRAM } from './program/addresses.js';
import type { Account } from './rpc/accounts.js';
import { instantOf, instantOrNone } from './time.js';

/** Where the Clock sysvar keeps the chain's own time (program#transaction-admission). */
const CLOCK_TIME_AT = 32;
const CLOCK_SIZE = 40;

/**
 * What an account of the program says; null when it does not exist, which is also so when something else owns the address.
 * One of the program's that is not laid out as known here is not gone: it is an error with a number, and nothing is
 * concluded from it (program#unknown-account-versions).
 */
function readAs<Layout, View>(
  decode: (data: ReadonlyUint8Array) => Layout | null,
  view: (layout: Layout) => View,
): (account: Account | null) => Answer<View | null> {
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

/** A plan as it stands on chain. */
export const readPlanView = readAs(decodePlan, (plan: PlanAccount): PlanView => ({
  owner: plan.owner,
  mint: plan.mint,
  amount: plan.amount,
  periodHours: Number(plan.periodHours),
  createdAt: instantOf(plan.createdAt),
  endsAt: instantOrNone(plan.endTs),
  sunset: plan.status === 0,
  destinations: listed(plan.destinations),
  pullers: listed(plan.pullers),
}));

/** A subscription as it stands on chain. */
export const readSubscriptionView = readAs(
  decodeSubscription,
  (subscription: SubscriptionAccount): SubscriptionView => ({
    generation: subscription.initId,
    planCreatedAt: instantOf(subscription.planCreatedAt),
    payer: subscription.payer,
    amount: subscription.amount,
    periodHours: Number(subscription.periodHours),
    periodStart: instantOf(subscription.periodStart),
    pulled: subscription.pulled,
    expiresAt: instantOrNone(subscription.expiresAt),
  }),
);

/** The generation of an open authority. */
export const readGeneration = readAs(decodeAuthority, (authority) => authority.initId);

/** The chain's own time; null when the account is not the clock. */
export function readClock(account: Account | null): Date | null {
  if (account === null || account.data.length < CLOCK_SIZE) return null;
  return instantOf(getI64Decoder().read(account.data, CLOCK_TIME_AT)[0]);
}
