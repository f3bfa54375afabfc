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

/** The Subscriptions program (program#program-addresses). */
export const SUBSCRIPTIONS_PROGRAM = address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
/** The account the program signs its events with (program#program-addresses). */
export const EVENT_AUTHORITY = address('3Hnj4BYoDgtpBuqXfiy7Y8cNa3jXaNd4oqgSXBzkMcH7');
export const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
/** The classic Token program; Token-2022 is the other one a mint may belong to. */
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111');

/** Every address the program derives (program#pda-seeds-and-known-answers). Deriving one takes about a millisecond, so they are kept. */
export interface Addresses {
  /** Of a wallet's authority for a mint. */
  authority(wallet: Address, mint: Address): Promise<Address>;
  /** Of a plan, with its bump. */
  plan(owner: Address, number: bigint): Promise<ProgramDerivedAddress>;
  /** Of a wallet's subscription to a plan. */
  subscription(plan: Address, wallet: Address): Promise<Address>;
  /** Of the canonical token account of an owner. */
  tokenAccount(owner: Address, mint: Address, tokenProgram: Address): Promise<Address>;
}

/** Derives addresses and remembers the last `capacity` of them. */
export function createAddresses(capacity = 50_000): Addresses {
  const remember = boundedCache<ProgramDerivedAddress>(capacity);
  const bytes = getAddressEncoder();
  const number64 = getU64Encoder();
  const only = async (derived: Promise<ProgramDerivedAddress>) => (await derived)[0];
  const derive = (seeds: Parameters<typeof getProgramDerivedAddress>[0]['seeds']) =>
    getProgramDerivedAddress({ programAddress: SUBSCRIPTIONS_PROGRAM, seeds });

  return {
    authority: (wallet, mint) =>
      only(
        remember(`authority ${wallet} ${mint}`, () =>
          derive(['SubscriptionAuthority', bytes.encode(wallet), bytes.encode(mint)]),
        ),
      ),
    plan: (owner, number) =>
      remember(`plan ${owner} ${number}`, () =>
        derive(['plan', bytes.encode(owner), number64.encode(number)]),
      ),
    subscription: (plan, wallet) =>
      only(
        remember(`subscription ${plan} ${wallet}`, () =>
          derive(['subscription', bytes.encode(plan), bytes.encode(wallet)]),
        ),
      ),
    tokenAccount: (owner, mint, tokenProgram) =>
      only(
        remember(`token ${owner} ${mint} ${tokenProgram}`, () =>
          findAssociatedTokenPda({ owner, mint, tokenProgram }),
        ),
      ),
  };
}
