import type { Address } from '@solana/kit';
import { refuse } from '../errors.js';
import { i64, key, struct, u64, u8 } from '../layout.js';
import { type PlanTerms, planTerms } from './plan.js';

export const FIXED_DELEGATION_DISCRIMINATOR = 2;
export const RECURRING_DELEGATION_DISCRIMINATOR = 3;
export const SUBSCRIPTION_DISCRIMINATOR = 4;

/** The version of delegations that the program writes and accepts (program#account-kinds-and-versions). */
export const DELEGATION_VERSION = 1;

/** The header of all three kinds of delegation (program#subscription-layout). */
export interface DelegationHeader {
  readonly discriminator: number;
  readonly version: number;
  readonly bump: number;
  /** The wallet that pays. */
  readonly delegator: Address;
  /** For a subscription, its plan. */
  readonly delegatee: Address;
  /** The key that paid the rent, and gets it back. */
  readonly payer: Address;
  /** The authority's generation when the subscription was created. */
  readonly initId: bigint;
}

export const delegationHeader = struct<DelegationHeader>({
  discriminator: u8,
  version: u8,
  bump: u8,
  delegator: key,
  delegatee: key,
  payer: key,
  initId: i64,
});

/** A SubscriptionDelegation account (program#subscription-layout). */
export interface Subscription {
  readonly header: DelegationHeader;
  /** The plan's terms at the time of subscribing. */
  readonly terms: PlanTerms;
  /** The amount pulled in the recorded period, in the smallest unit. */
  readonly pulled: bigint;
  /** Start of the recorded period, in Unix seconds; moves only when a pull lands. */
  readonly periodStart: bigint;
  /** The first second, in Unix seconds, in which nothing can be pulled any more; 0 when not cancelled. */
  readonly expiresAt: bigint;
}

export const subscriptionLayout = struct<Subscription>({
  header: delegationHeader,
  terms: planTerms,
  pulled: u64,
  periodStart: i64,
  expiresAt: i64,
});

/**
 * The version gate before every use but closing: 111 and 117 for another kind, 133 for a newer version, 134 for an
 * older one.
 */
function requireCurrentVersion(data: Uint8Array): void {
  const version = data[1];
  if (version === undefined) refuse('InvalidAccountData');
  if (data[0] !== SUBSCRIPTION_DISCRIMINATOR) refuse('InvalidAccountDiscriminator');
  if (version > DELEGATION_VERSION) refuse('DelegationVersionMismatch');
  if (version < DELEGATION_VERSION) refuse('MigrationRequired');
}

/** Loads a subscription for a pull: the current version, with exactly its size. */
export function loadSubscription(data: Uint8Array): Subscription {
  requireCurrentVersion(data);
  if (data.length !== subscriptionLayout.size) refuse('InvalidAccountData');
  return subscriptionLayout.decode(data);
}

/** Loads a subscription to cancel or resume it, or to reclaim its rent: the current version, possibly with further bytes. */
export function loadPossiblyLongerSubscription(data: Uint8Array): Subscription {
  requireCurrentVersion(data);
  return loadClosableSubscription(data);
}

/** Loads a subscription to close it: any version, possibly with further bytes, so that rent can always be recovered. */
export function loadClosableSubscription(data: Uint8Array): Subscription {
  if (data.length < subscriptionLayout.size) refuse('InvalidAccountData');
  if (data[0] !== SUBSCRIPTION_DISCRIMINATOR) refuse('InvalidAccountDiscriminator');
  return subscriptionLayout.decode(data);
}
