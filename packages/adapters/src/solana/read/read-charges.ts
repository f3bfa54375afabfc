import type { Address } from '@solana/kit';
import {
  Semaphore,
  type ChainResult,
  type ChargeTarget,
  type ChargeView,
  type PlanOnChain,
  type PlanView,
  type ReceiverView,
} from '@subrail/core/ports';
import { type ChargeAccounts, batchesOf, chargeAccountsOf } from './charge-accounts.js';
import { type Addresses, CLOCK_SYSVAR } from '../program/addresses.js';
import type { Account, ReadAccounts, Snapshot } from '../rpc/accounts.js';
import type { Commitment } from '../rpc/slot-floor.js';
import { readMint, readTokenAccount } from './token-accounts.js';
import { readClock, readGeneration, readPlanView, readSubscriptionView } from './views.js';

/** The number of calls to send at the same time. */
const MAX_CONCURRENT_CALLS = 8;

interface AccountsAtSlot {
  readonly slot: bigint;
  at(address: Address): Account | null;
}

/**
 * Reads the accounts of each charge at one slot, with the chain's time (attempts#one-read-before-a-charge).
 * The results are in the order of the targets.
 */
export async function readCharges(
  targets: readonly ChargeTarget[],
  commitment: Commitment,
  { readAccounts, addresses }: { readonly readAccounts: ReadAccounts; readonly addresses: Addresses },
): Promise<ChainResult<ChargeView>[]> {
  const charges = await Promise.all(targets.map((target) => chargeAccountsOf(target, addresses)));
  const snapshots = new Map<ChargeAccounts, ChainResult<AccountsAtSlot>>();
  await new Semaphore(MAX_CONCURRENT_CALLS).map(batchesOf(charges), async (batch) => {
    const wanted = [...batch.addresses];
    const read = await readAccounts(wanted, commitment);
    const snapshot: ChainResult<AccountsAtSlot> = read.ok
      ? { ok: true, value: accountsAtSlot(wanted, read.value) }
      : read;
    for (const charge of batch.charges) snapshots.set(charge, snapshot);
  });
  return targets.map((target, index) => {
    const accounts = charges[index];
    const snapshot = accounts && snapshots.get(accounts);
    if (accounts === undefined || snapshot === undefined)
      throw new Error('A charge is missing from every batch: batchesOf has a fault.');
    return snapshot.ok ? chargeView(target.plan, accounts, snapshot.value) : snapshot;
  });
}

function accountsAtSlot(wanted: readonly Address[], { slot, accounts }: Snapshot): AccountsAtSlot {
  const found = new Map(wanted.map((address, index) => [address, accounts[index] ?? null]));
  return { slot, at: (address) => found.get(address) ?? null };
}

function chargeView(
  targetPlan: PlanOnChain,
  accounts: ChargeAccounts,
  snapshot: AccountsAtSlot,
): ChainResult<ChargeView> {
  const time = readClock(snapshot.at(CLOCK_SYSVAR));
  if (time === null) return { ok: false, unavailable: { kind: 'transport' } };
  const plan = readPlanView(snapshot.at(accounts.plan));
  if (!plan.ok) return plan;
  const subscription = readSubscriptionView(snapshot.at(accounts.subscription));
  if (!subscription.ok) return subscription;
  const generation = readGeneration(snapshot.at(accounts.authority));
  if (!generation.ok) return generation;

  const tokenAccount = (address: Address) =>
    readTokenAccount(snapshot.at(address), targetPlan.mint, targetPlan.tokenProgram);
  const receiverAt = (address: Address): ReceiverView | null => {
    const account = tokenAccount(address);
    if (account === null) return null;
    const { owner, frozen, needsMemo, confidentialOnly } = account;
    return { address, owner, frozen, needsMemo, confidentialOnly };
  };
  return {
    ok: true,
    value: {
      slot: snapshot.slot,
      time,
      plan: plan.value,
      subscription: subscription.value,
      authority: { address: accounts.authority, generation: generation.value },
      source: tokenAccount(accounts.source),
      receiver:
        receiverAt(accounts.receiver) ??
        (mayReceive(plan.value, targetPlan.owner) ? receiverAt(accounts.ownerReceiver) : null),
      mint: readMint(snapshot.at(accounts.mint)),
    },
  };
}

/** Whether the program lets a plan pay this wallet. A plan without destinations may pay any wallet. */
function mayReceive(plan: PlanView | null, wallet: string): boolean {
  if (plan === null) return false;
  return plan.destinations.length === 0 || plan.destinations.includes(wallet);
}
