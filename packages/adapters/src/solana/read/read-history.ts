import { type Address, address } from '@solana/kit';
import type { ChainResult, HistoryQuery, LandedPayment, SubscriptionHistory } from '@subrail/core/ports';
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

/** The most transactions that are read for one subscription. Anyone may send transactions that only name its account. */
const MAX_READS = 200;

/** What a read of a subscription's history depends on. */
export interface HistoryReader {
  readonly call: CallRpc;
  readonly addresses: Addresses;
  readonly charger: Address;
}

/** Reads what the history of a subscription's account tells (attempts#history-of-the-account). */
export async function readHistory(
  { plan, wallet, since, slot }: HistoryQuery,
  { call, addresses, charger }: HistoryReader,
): Promise<ChainResult<SubscriptionHistory>> {
  const subscription = await addresses.subscription(address(plan.address), address(wallet));
  const listed = await readAccountHistory(call, subscription, { since: toUnixSeconds(since), slot });
  if (!listed.ok) return listed;
  if (listed.value.length > MAX_READS) return { ok: false, unavailable: { kind: 'transport' } };
  const reads = await mapConcurrently(listed.value, MAX_CONCURRENT_READS, (signature) =>
    readAnyLanded(call, signature),
  );
  const payments: LandedPayment[] = [];
  let madeAt: Date | null = null;
  for (const [place, read] of reads.entries()) {
    if (!read.ok) return read;
    const signature = listed.value[place];
    const payment = paymentIn(read.value, { subscription, charger });
    if (signature !== undefined && payment !== null) payments.push({ ...payment, signature });
    const makes = read.value.instructions.some((instruction) => isMaking(instruction, subscription));
    if (makes) madeAt ??= fromUnixSeconds(read.value.time);
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
