import { type Address, address } from '@solana/kit';
import type { ChargeTarget } from '@subrail/core/ports';
import { type Addresses, CLOCK_SYSVAR } from '../program/addresses.js';
import { ACCOUNTS_PER_CALL } from '../rpc/accounts.js';

/** The addresses of all accounts that one charge depends on. */
export interface ChargeAccounts {
  readonly plan: Address;
  readonly mint: Address;
  readonly subscription: Address;
  readonly authority: Address;
  /** The associated token account of the wallet, which pays. */
  readonly source: Address;
  /** The associated token account of the plan's receiver. */
  readonly receiver: Address;
  /** The associated token account of the plan's owner, which may be paid instead. */
  readonly ownerReceiver: Address;
}

/** Derives the addresses that a charge depends on. */
export async function chargeAccountsOf(target: ChargeTarget, addresses: Addresses): Promise<ChargeAccounts> {
  const plan = address(target.plan.address);
  const mint = address(target.plan.mint);
  const tokenProgram = address(target.plan.tokenProgram);
  const wallet = address(target.wallet);
  const [subscription, authority, source, receiver, ownerReceiver] = await Promise.all([
    addresses.subscription(plan, wallet),
    addresses.authority(wallet, mint),
    addresses.tokenAccount(wallet, mint, tokenProgram),
    addresses.tokenAccount(address(target.plan.receiver), mint, tokenProgram),
    addresses.tokenAccount(address(target.plan.owner), mint, tokenProgram),
  ]);
  return { plan, mint, subscription, authority, source, receiver, ownerReceiver };
}

/** Charges whose accounts, with the clock, are read in one call and so at one slot. */
export interface Batch {
  readonly addresses: Set<Address>;
  readonly charges: ChargeAccounts[];
}

/**
 * Packs charges into few calls, in the order of their plans, whose accounts they share. One call has all
 * accounts of a charge, so that they are of one slot (attempts#one-read-before-a-charge).
 */
export function batchesOf(charges: readonly ChargeAccounts[]): Batch[] {
  const batches: Batch[] = [];
  for (const charge of [...charges].sort((a, b) => (a.plan < b.plan ? -1 : a.plan > b.plan ? 1 : 0))) {
    const last = batches.at(-1);
    const needed = Object.values<Address>({ ...charge });
    const together = new Set([...(last?.addresses ?? []), ...needed]);
    if (last === undefined || together.size > ACCOUNTS_PER_CALL) {
      batches.push({ addresses: new Set([CLOCK_SYSVAR, ...needed]), charges: [charge] });
    } else {
      for (const address of needed) last.addresses.add(address);
      last.charges.push(charge);
    }
  }
  return batches;
}
