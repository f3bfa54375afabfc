import { refuse } from './errors.js';
import { type Struct, type ValueOf, i64, key, keys, raw, struct, u64, u8 } from '../runtime/layout.js';

/** The first byte of each kind of account (program#account-kinds-and-versions). */
export const KIND = { authority: 0, plan: 1, fixed: 2, recurring: 3, subscription: 4 } as const;

/** The version of delegations that the program writes and accepts (program#account-kinds-and-versions). */
export const DELEGATION_VERSION = 1;

/** The status byte of a plan. A sunset plan takes no new subscribers. */
export const PLAN_STATUS = { sunset: 0, active: 1 } as const;

/**
 * A SubscriptionAuthority account: the delegate of one wallet's token account of one mint
 * (program#subscription-authority-layout).
 */
export const authorityLayout = struct({
  discriminator: u8,
  user: key,
  mint: key,
  /** The key that paid the account's rent. */
  payer: key,
  bump: u8,
  /** The generation of the authority: the slot of its creation. */
  initId: i64,
});
export type SubscriptionAuthority = ValueOf<typeof authorityLayout>;

/** The terms of a subscriber. `createdAt` distinguishes the incarnations of a plan at one address. */
const planTerms = struct({
  /** The price of a period, in the mint's smallest unit. */
  amount: u64,
  periodHours: u64,
  /** The creation of the plan, in Unix seconds of the chain. */
  createdAt: i64,
});

/** The part of a plan that is the payload of `create_plan`: program#plan-layout from byte 35 on. */
export const planData = struct({
  planId: u64,
  mint: key,
  terms: planTerms,
  /** The plan's last second, inclusive, in Unix seconds; 0 for a plan without end. */
  endTs: i64,
  /** Four wallets that may own the receiving account; the zero key means none. */
  destinations: keys(4),
  /** Four keys that may pull besides the owner; the zero key means none. */
  pullers: keys(4),
  metadataUri: raw(128),
});
export type PlanData = ValueOf<typeof planData>;

/** A Plan account (program#plan-layout). */
export const planLayout = struct({ discriminator: u8, owner: key, bump: u8, status: u8, data: planData });
export type Plan = ValueOf<typeof planLayout>;

/** The header of all three kinds of delegation (program#subscription-layout). */
export const delegationHeader = struct({
  discriminator: u8,
  version: u8,
  bump: u8,
  /** The wallet that pays. */
  delegator: key,
  /** For a subscription, its plan. */
  delegatee: key,
  /** The key that paid the rent, and gets it back. */
  payer: key,
  /** The authority's generation when the subscription was created. */
  initId: i64,
});

/** A SubscriptionDelegation account (program#subscription-layout). */
export const subscriptionLayout = struct({
  header: delegationHeader,
  terms: planTerms,
  /** The amount pulled in the recorded period, in the smallest unit. */
  pulled: u64,
  /** Start of the recorded period, in Unix seconds; moves only when a pull lands. */
  periodStart: i64,
  /** The first second, in Unix seconds, in which nothing can be pulled any more; 0 when not cancelled. */
  expiresAt: i64,
});
export type Subscription = ValueOf<typeof subscriptionLayout>;

/** Decodes an authority: 111 for another length, 117 for another kind (program#account-loading-errors). */
export function loadAuthority(data: Uint8Array): SubscriptionAuthority {
  return load(authorityLayout, KIND.authority, data);
}

/** Decodes a plan. Another length is 111, another discriminator 117 (program#account-loading-errors). */
export function loadPlan(data: Uint8Array): Plan {
  return load(planLayout, KIND.plan, data);
}

function load<T>(layout: Struct<T>, kind: number, data: Uint8Array): T {
  if (data.length !== layout.size) refuse('InvalidAccountData');
  if (data[0] !== kind) refuse('InvalidAccountDiscriminator');
  return layout.decode(data);
}

/** Loads a subscription for a pull: the current version, with exactly its size. */
export function loadSubscription(data: Uint8Array): Subscription {
  requireCurrentVersion(data);
  return load(subscriptionLayout, KIND.subscription, data);
}

/** Loads a subscription of the current version, which may be longer, to change it or reclaim its rent. */
export function loadPossiblyLongerSubscription(data: Uint8Array): Subscription {
  requireCurrentVersion(data);
  return loadClosableSubscription(data);
}

/** Loads a subscription of any version, which may be longer, so that rent can always be recovered. */
export function loadClosableSubscription(data: Uint8Array): Subscription {
  return load(subscriptionLayout, KIND.subscription, data.subarray(0, subscriptionLayout.size));
}

/** The version gate before every use but closing: 111, 117 for another kind, 133 newer, 134 older. */
function requireCurrentVersion(data: Uint8Array): void {
  const version = data[1];
  if (version === undefined) refuse('InvalidAccountData');
  if (data[0] !== KIND.subscription) refuse('InvalidAccountDiscriminator');
  if (version > DELEGATION_VERSION) refuse('DelegationVersionMismatch');
  if (version < DELEGATION_VERSION) refuse('MigrationRequired');
}

/** Whether chain time has passed the plan's last second. */
export function planHasEnded(plan: Plan, now: bigint): boolean {
  return plan.data.endTs !== 0n && now > plan.data.endTs;
}

/** Whether a plan still has a subscription's price, period and incarnation. */
export function hasTermsOf({ data: { terms: now } }: Plan, { terms }: Subscription): boolean {
  return (
    terms.createdAt === now.createdAt && terms.amount === now.amount && terms.periodHours === now.periodHours
  );
}
