import type { Address } from '@solana/kit';
import type {
  Answer,
  ChargeTarget,
  ChargeView,
  PlanOnChain,
  PlanView,
  ReceiverView,
} from '@subrail/core/ports';
import { type ChargeAccounts, batchesOf, chargeAccountsOf } from './charge-accounts.js';
import { type Addresses, CLOCK_SYSVAR } from './program/addresses.js';
import type { Account, ReadAccounts, Snapshot } from './rpc/accounts.js';
import { inParallel } from './rpc/in-parallel.js';
import type { Commitment } from './rpc/slot-floor.js';
import { readMint, readTokenAccount } from './tokens.js';
import { readClock, readGeneration, readPlanView, readSubscriptionView } from './views.js';

/** How many calls are under way at once. */
const CALLS_AT_ONCE = 8;

/** Accounts read together. */
interface Picture {
  readonly slot: bigint;
  at(address: Address): Account | null;
}

/** Reads everything each charge depends on, all of one charge at one slot. */
export async function readCharges(
  asks: readonly ChargeTarget[],
  commitment: Commitment,
  { readAccounts, addresses }: { readonly readAccounts: ReadAccounts; readonly addresses: Addresses },
): Promise<Answer<ChargeView>[]> {
  const charges = await Promise.all(asks.map((ask) => chargeAccountsOf(ask, addresses)));
  const pictures = new Map<ChargeAccounts, Answer<Picture>>();
  await inParallel(batchesOf(charges), CALLS_AT_ONCE, async (batch) => {
    const wanted = [...batch.addresses];
    const read = await readAccounts(wanted, commitment);
    const picture: Answer<Picture> = read.ok ? { ok: true, value: pictureOf(wanted, read.value) } : read;
    for (const charge of batch.charges) pictures.set(charge, picture);
  });
  return asks.map((ask, index) => {
    const where = charges[index];
    const picture = where && pictures.get(where);
    if (where === undefined || picture === undefined)
      throw new Error('A charge was left out of every batch.');
    return picture.ok ? chargeView(ask.plan, where, picture.value) : picture;
  });
}

function pictureOf(wanted: readonly Address[], { slot, accounts }: Snapshot): Picture {
  const found = new Map(wanted.map((address, index) => [address, accounts[index] ?? null]));
  return { slot, at: (address) => found.get(address) ?? null };
}

function chargeView(asked: PlanOnChain, where: ChargeAccounts, picture: Picture): Answer<ChargeView> {
  const time = readClock(picture.at(CLOCK_SYSVAR));
  if (time === null) return { ok: false, unavailable: { kind: 'transport' } };
  const plan = readPlanView(picture.at(where.plan));
  if (!plan.ok) return plan;
  const subscription = readSubscriptionView(picture.at(where.subscription));
  if (!subscription.ok) return subscription;
  const generation = readGeneration(picture.at(where.authority));
  if (!generation.ok) return generation;

  const tokenAccount = (address: Address) =>
    readTokenAccount(picture.at(address), asked.mint, asked.tokenProgram);
  const receiverAt = (address: Address): ReceiverView | null => {
    const account = tokenAccount(address);
    if (account === null) return null;
    const { owner, frozen, needsMemo, confidentialOnly } = account;
    return { address, owner, frozen, needsMemo, confidentialOnly };
  };
  return {
    ok: true,
    value: {
      slot: picture.slot,
      time,
      plan: plan.value,
      subscription: subscription.value,
      authority: { address: where.authority, generation: generation.value },
      source: tokenAccount(where.source),
      receiver:
        receiverAt(where.receiver) ??
        (mayReceive(plan.value, asked.owner) ? receiverAt(where.ownerReceiver) : null),
      mint: readMint(picture.at(where.mint)),
    },
  };
}

/** A plan without destinations may pay anyone (program#transfer-subscription). */
function mayReceive(plan: PlanView | null, wallet: string): boolean {
  if (plan === null) return false;
  return plan.destinations.length === 0 || plan.destinations.includes(wallet);
}
