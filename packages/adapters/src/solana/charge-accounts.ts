import { type Address, address } from '@solana/kit';
import type { ChargeTarget } from '@subrail/core/ports';
import { type Addresses, CLOCK_SYSVAR } from './program/addresses.js';
import { ACCOUNTS_PER_CALL } from './rpc/accounts.js';

/** Where everything stands that one charge depends on. */
export interface ChargeAccounts {
  readonly plan: Address;
  readonly mint: Address;
  readonly subscription: Address;
  readonly authority: Address;
  readonly source: Address;
  /** The token account of the wallet that is paid. */
  readonly receiver: Address;
  /** The token account of the plan's owner, which may be paid in its stead. */
  readonly ownerReceiver: Address;
}

export async function chargeAccountsOf(ask: ChargeTarget, addresses: Addresses): Promise<ChargeAccounts> {
  const plan = address(ask.plan.address);
  const mint = address(ask.plan.mint);
  const tokenProgram = address(ask.plan.tokenProgram);
  const wallet = address(ask.wallet);
  const [subscription, authority, source, receiver, ownerReceiver] = await Promise.all([
    addresses.subscription(plan, wallet),
    addresses.authority(wallet, mint),
    addresses.tokenAccount(wallet, mint, tokenProgram),
    addresses.tokenAccount(address(ask.plan.receiver), mint, tokenProgram),
    addresses.tokenAccount(address(ask.plan.owner), mint, tokenProgram),
  ]);
  return { plan, mint, subscription, authority, source, receiver, ownerReceiver };
}

/** One call's worth of charges: their accounts, and the clock, are read at one slot. */
export interface Batch {
  readonly addresses: Set<Address>;
  readonly charges: ChargeAccounts[];
}

/**
 * Packs charges into as few calls as a walk in plan order finds. Charges of one plan share its accounts, and no
 * charge is split: what is true of it must have been true at one instant.
 */
export function batchesOf(charges: readonly ChargeAccounts[]): Batch[] {
  const batches: Batch[] = [];
  for (const charge of [...charges].sort((a, b) => (a.plan < b.plan ? -1 : a.plan > b.plan ? 1 : 0))) {
    const open = batches.at(-1);
    const needed = Object.values<Address>({ ...charge });
    const together = new Set([...(open?.addresses ?? []), ...needed]);
    if (open === undefined || together.size > ACCOUNTS_PER_CALL) {
      batches.push({ addresses: new Set([CLOCK_SYSVAR, ...needed]), charges: [charge] });
    } else {
      for (const address of needed) open.addresses.add(address);
      open.charges.push(charge);
    }
  }
  return batches;
}
