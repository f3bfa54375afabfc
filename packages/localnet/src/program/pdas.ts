import type { Address } from '@solana/kit';
import { ASSOCIATED_TOKEN_PROGRAM, SUBSCRIPTIONS_PROGRAM } from '../runtime/addresses.js';
import { addressBytes } from '../runtime/base58.js';
import { type DerivedAddress, createProgramAddress, findProgramAddress } from '../runtime/derive-address.js';

// The PDAs of program#pda-seeds-and-known-answers.

const text = (seed: string): Uint8Array => new TextEncoder().encode(seed);

const AUTHORITY_SEED = text('SubscriptionAuthority');
const PLAN_SEED = text('plan');
const SUBSCRIPTION_SEED = text('subscription');
const EVENT_AUTHORITY_SEED = text('event_authority');

/** The PDA that signs events. There is no account at it. */
export const EVENT_AUTHORITY = findProgramAddress(SUBSCRIPTIONS_PROGRAM, [EVENT_AUTHORITY_SEED]).address;

export function findAuthority(user: Address, mint: Address): DerivedAddress {
  return findProgramAddress(SUBSCRIPTIONS_PROGRAM, [AUTHORITY_SEED, addressBytes(user), addressBytes(mint)]);
}

export function findPlan(owner: Address, planId: bigint): DerivedAddress {
  return findProgramAddress(SUBSCRIPTIONS_PROGRAM, planSeeds(owner, planId));
}

/** The plan's address with a given bump, which need not be the canonical one; null when that is not a PDA. */
export function planAddressWithBump(owner: Address, planId: bigint, bump: number): Address | null {
  const canonical = findPlan(owner, planId);
  if (bump === canonical.bump) return canonical.address;
  return createProgramAddress(SUBSCRIPTIONS_PROGRAM, [...planSeeds(owner, planId), Uint8Array.of(bump)]);
}

/** The subscription of a wallet to a plan: there is at most one. */
export function findSubscription(plan: Address, subscriber: Address): DerivedAddress {
  return findProgramAddress(SUBSCRIPTIONS_PROGRAM, [
    SUBSCRIPTION_SEED,
    addressBytes(plan),
    addressBytes(subscriber),
  ]);
}

export function findTokenAccount(wallet: Address, tokenProgram: Address, mint: Address): DerivedAddress {
  return findProgramAddress(ASSOCIATED_TOKEN_PROGRAM, [
    addressBytes(wallet),
    addressBytes(tokenProgram),
    addressBytes(mint),
  ]);
}

function planSeeds(owner: Address, planId: bigint): Uint8Array[] {
  const id = new Uint8Array(8);
  new DataView(id.buffer).setBigUint64(0, planId, true);
  return [PLAN_SEED, addressBytes(owner), id];
}
