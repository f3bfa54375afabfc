import { type Address, address } from '@solana/kit';
import type { ChainResult, HistoryQuery, LandedPayment, SubscriptionHistory } from '@subrail/core/ports';
import { forgetOldest } from '../../forget-oldest.js';
import { type Addresses, SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { SUBSCRIBE_SELECTOR } from '../program/subscriber-instructions.js';
import { fromUnixSeconds, toUnixSeconds } from '../program/unix-time.js';
import { readAccountHistory } from '../rpc/account-history.js';
import type { CallRpc } from '../rpc/failover.js';
import {
  type AnyLandedTransaction,
  type LandedInstruction,
  amountReceived,
  feeShare,
  readAnyLanded,
} from '../rpc/landed.js';
import { mapConcurrently } from '../rpc/map-concurrently.js';
import { findPayments } from '../transaction/find-payments.js';

const MAX_CONCURRENT_READS = 8;

/** More transactions than are read for one subscription at a time, so that none of them is read again at the next look. */
const REMEMBERED = 20_000;

/** What a read of a subscription's history depends on. */
export interface HistoryReader {
  readonly call: CallRpc;
  readonly addresses: Addresses;
  readonly charger: Address;
  readonly irrelevant: IrrelevantTransactions;
}

/**
 * Remembers the transactions that tell nothing of an account that they name. Anyone can send thousands of them for little, and
 * each look at the history would read them again.
 */
export class IrrelevantTransactions {
  readonly #known = new Set<string>();

  has(signature: string, account: Address): boolean {
    return this.#known.has(`${signature} ${account}`);
  }

  note(signature: string, account: Address): void {
    this.#known.add(`${signature} ${account}`);
    forgetOldest(this.#known, REMEMBERED);
  }
}

/** Reads what the history of a subscription's account tells (attempts#history-of-the-account). */
export async function readHistory(
  { plan, wallet, since, slot }: HistoryQuery,
  { call, addresses, charger, irrelevant }: HistoryReader,
): Promise<ChainResult<SubscriptionHistory>> {
  const subscription = await addresses.subscription(address(plan.address), address(wallet));
  const listed = await readAccountHistory(call, subscription, { since: toUnixSeconds(since), slot });
  if (!listed.ok) return listed;
  const unknown = listed.value.filter((signature) => !irrelevant.has(signature, subscription));
  const reads = await mapConcurrently(unknown, MAX_CONCURRENT_READS, (signature) =>
    readAnyLanded(call, signature),
  );
  const payments: LandedPayment[] = [];
  let madeAt: Date | null = null;
  for (const [place, read] of reads.entries()) {
    if (!read.ok) return read;
    const signature = unknown[place];
    const payment = paymentIn(read.value, { subscription, charger });
    if (signature !== undefined && payment !== null) payments.push({ ...payment, signature });
    const makes = read.value.instructions.some((instruction) => isMaking(instruction, subscription));
    if (makes) madeAt ??= fromUnixSeconds(read.value.time);
    else if (signature !== undefined && payment === null) irrelevant.note(signature, subscription);
  }
  return { ok: true, value: { payments, madeAt } };
}

function paymentIn(
  { own }: AnyLandedTransaction,
  of: { readonly subscription: Address; readonly charger: Address },
): Omit<LandedPayment, 'signature'> | null {
  if (own === null) return null;
  const payments = findPayments(own.message);
  const paymentIndex = payments.findIndex(
    ({ subscription, charger }) => subscription === of.subscription && charger === of.charger,
  );
  const payment = payments[paymentIndex];
  if (payment === undefined) return null;
  const { slot, time, wire } = own;
  const received = amountReceived(own, paymentIndex);
  const { amount } = payment;
  return {
    ...{ wire, paymentIndex, slot, time: fromUnixSeconds(time), amount, received },
    ...feeShare(own, paymentIndex),
  };
}

function isMaking({ program, accounts, data }: LandedInstruction, subscription: Address): boolean {
  return (
    program === SUBSCRIPTIONS_PROGRAM && data[0] === SUBSCRIBE_SELECTOR && accounts.includes(subscription)
  );
}
