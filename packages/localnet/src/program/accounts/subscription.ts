import type { Address } from '@solana/kit';
import { refuse } from '../errors.js';
import { i64, key, struct, u64, u8 } from '../layout.js';
import { type PlanTerms, planTerms } from './plan.js';

export const SUBSCRIPTION_DISCRIMINATOR = 4;

/** The version that this program writes and accepts in delegations (program#account-kinds-and-versions). */
export const DELEGATION_VERSION = 1;

/** What the three kinds of delegation begin with (program#subscription-layout). */
export interface DelegationHeader {
  readonly discriminator: number;
  readonly version: number;
  readonly bump: number;
  /** The wallet that pays. */
  readonly delegator: Address;
  /** For a subscription, its plan. */
  readonly delegatee: Address;
  /** Whoever paid the rent, and gets it back. */
  readonly payer: Address;
  /** The generation of the authority at creation. */
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
  /** Pulled in the recorded period, in smallest units. */
  readonly pulled: bigint;
  /** Start of the recorded period, in Unix seconds; moves only when a pull lands. */
  readonly periodStart: bigint;
  /** From this second on nothing is pulled, in Unix seconds; 0 when not cancelled. */
  readonly expiresAt: bigint;
}

export const subscriptionLayout = struct<Subscription>({
  header: delegationHeader,
  terms: planTerms,
  pulled: u64,
  periodStart: i64,
  expiresAt: i64,
});

/** The gate before every use but closing: wrong kind (111, 117), newer version (133), older version (134). */
function requireCurrentVersion(data: Uint8Array): void {
  const version = data[1];
  if (version === undefined) refuse('InvalidAccountData');
  if (data[0] !== SUBSCRIPTION_DISCRIMINATOR) refuse('InvalidAccountDiscriminator');
  if (version > DELEGATION_VERSION) refuse('DelegationVersionMismatch');
  if (version < DELEGATION_VERSION) refuse('MigrationRequired');
}

/** For pulls: the current version, and exactly its size. */
export function loadSubscription(data: Uint8Array): Subscription {
  requireCurrentVersion(data);
  if (data.length !== subscriptionLayout.size) refuse('InvalidAccountData');
  return subscriptionLayout.decode(data);
}

/** For cancelling and resuming: the current version, longer accounts accepted. */
export function loadGrownSubscription(data: Uint8Array): Subscription {
  requireCurrentVersion(data);
  return loadClosableSubscription(data);
}

/** For closing: any version, longer accounts accepted, so that rent can always be got back. */
export function loadClosableSubscription(data: Uint8Array): Subscription {
  if (data.length < subscriptionLayout.size) refuse('InvalidAccountData');
  if (data[0] !== SUBSCRIPTION_DISCRIMINATOR) refuse('InvalidAccountDiscriminator');
  return subscriptionLayout.decode(data);
}
