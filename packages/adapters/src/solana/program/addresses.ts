import {
  type Address,
  type ProgramDerivedAddress,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
} from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token-2022';
import { boundedCache } from './bounded-cache.js';

/** The Subscriptions program, which owns the accounts of plans, subscriptions and authorities. */
export const SUBSCRIPTIONS_PROGRAM = address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
/** The address with which the program signs its events. */
export const EVENT_AUTHORITY = address('3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7');
/** The System program. Its address is also 32 zero bytes, which the program writes for an empty slot. */
export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
/** The classic Token program. A mint belongs to it or to Token-2022. */
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
/** The account that holds the chain's time. */
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

/** Derives and caches the addresses of the program's accounts, each in about a millisecond. */
export interface Addresses {
  authority(wallet: Address, mint: Address): Promise<Address>;
  plan(owner: Address, number: bigint): Promise<ProgramDerivedAddress>;
  subscription(plan: Address, wallet: Address): Promise<Address>;
  tokenAccount(owner: Address, mint: Address, tokenProgram: Address): Promise<Address>;
}

/** Creates the derivation of addresses, which caches `capacity` of them. */
export function createAddresses(capacity = 50_000): Addresses {
  const cached = boundedCache<ProgramDerivedAddress>(capacity);
  const key = getAddressEncoder();
  const u64 = getU64Encoder();
  const withoutBump = async (derived: Promise<ProgramDerivedAddress>) => (await derived)[0];
  const derive = (seeds: Parameters<typeof getProgramDerivedAddress>[0]['seeds']) =>
    getProgramDerivedAddress({ programAddress: SUBSCRIPTIONS_PROGRAM, seeds });

  return {
    authority: (wallet, mint) =>
      withoutBump(
        cached(`authority ${wallet} ${mint}`, () =>
          derive(['SubscriptionAuthority', key.encode(wallet), key.encode(mint)]),
        ),
      ),
    plan: (owner, number) =>
      cached(`plan ${owner} ${number}`, () => derive(['plan', key.encode(owner), u64.encode(number)])),
    subscription: (plan, wallet) =>
      withoutBump(
        cached(`subscription ${plan} ${wallet}`, () =>
          derive(['subscription', key.encode(plan), key.encode(wallet)]),
        ),
      ),
    tokenAccount: (owner, mint, tokenProgram) =>
      withoutBump(
        cached(`token ${owner} ${mint} ${tokenProgram}`, () =>
          findAssociatedTokenPda({ owner, mint, tokenProgram }),
        ),
      ),
  };
}
