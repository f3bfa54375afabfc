import { type Address, address } from '@solana/kit';
import {
  Semaphore,
  type ChainResult,
  type HistoryQuery,
  type LandedPayment,
  type SubscriptionHistory,
} from '@subrail/core/ports';
import { type Addresses, SUBSCRIPTIONS_PROGRAM } from '../program/addresses.js';
import { SUBSCRIBED_ACCOUNT_INDEX, SUBSCRIBE_SELECTOR } from '../program/subscriber-instructions.js';
import { fromUnixSeconds, toUnixSeconds } from '../program/unix-time.js';
import { type HistoryEntry, readHistoryPage } from '../rpc/account-history.js';
import type { CallRpc } from '../rpc/failover.js';
import {
  type AnyLandedTransaction,
  type LandedInstruction,
  amountReceived,
  feeShare,
  readAnyLanded,
} from '../rpc/landed.js';
import { findPayments } from '../transaction/find-payments.js';
import {
  type Examined,
  type ExaminedHistories,
  NOTHING_EXAMINED,
  irrevocable,
} from './examined-histories.js';

const MAX_CONCURRENT_READS = 8;

/** The milliseconds of one look at a history: far below the lease of the charges that wait for it. */
const LOOK_MS = 15_000;

/** The number of transactions that are read before the time of a look is checked again. */
const BATCH = 100;

/** The dependencies of a read of a subscription's history. */
export interface HistoryReader {
  readonly call: CallRpc;
  readonly addresses: Addresses;
  readonly charger: Address;
  readonly histories: ExaminedHistories;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
}

/**
 * Reads the history of a subscription's account (attempts#history-of-the-account). Each look goes on where
 * the last one stopped: down to `since`, then over newer transactions up to the slot of the query.
 */
export async function readHistory(
  { plan, wallet, since, slot }: HistoryQuery,
  reader: HistoryReader,
): Promise<ChainResult<SubscriptionHistory>> {
  const { call, addresses, charger, histories, elapsed } = reader;
  const subscription = await addresses.subscription(address(plan.address), address(wallet));
  const from = toUnixSeconds(since);
  const key = `${subscription} ${from}`;
  const until = elapsed() + LOOK_MS;
  // However slow the chain is, each look examines something.
  let hasExamined = false;
  const isOver = () => hasExamined && elapsed() > until;
  let examined = histories.get(key) ?? NOTHING_EXAMINED;
  const note = (next: Examined) => {
    hasExamined = true;
    examined = next;
    histories.note(key, next);
  };

  while (examined.upTo === null || examined.upTo < slot) {
    const walk = examined.walk ?? { to: slot, behind: null };
    if (isOver()) return UNFINISHED;
    const page = await readHistoryPage(call, subscription, {
      since: from,
      above: examined.upTo,
      slot: walk.to > slot ? walk.to : slot,
      before: walk.behind,
    });
    if (!page.ok) {
      // The entry to continue behind may be what the node refuses: the next look begins anew.
      if (page.unavailable.kind === 'rpc') histories.forget(key);
      return page;
    }
    const { entries, isLast } = page.value;
    for (let start = 0; start < entries.length; start += BATCH) {
      const batch = entries.slice(start, start + BATCH);
      const telling = batch.filter((entry) => entry.succeeded);
      if (isOver()) return UNFINISHED;
      const results = await new Semaphore(MAX_CONCURRENT_READS).map(telling, ({ signature }) =>
        readAnyLanded(call, signature),
      );
      let told = examined;
      for (const [place, read] of results.entries()) {
        const entry = telling[place];
        if (entry === undefined) continue;
        if (!read.ok) return read;
        told = withTransaction(told, entry, read.value, { subscription, charger });
        note({ ...told, walk: { to: walk.to, behind: entry } });
      }
      note({ ...told, walk: { to: walk.to, behind: batch.at(-1) ?? walk.behind } });
    }
    if (!isLast) continue;
    const whole = { ...examined, upTo: walk.to, walk: null };
    note(irrevocable(examined, walk.to));
    // An earlier walk ended at an earlier slot, and the chain may have rolled back its last slots since.
    if (walk.to >= slot) examined = whole;
  }
  const payments = [...examined.payments.values()].sort((one, other) => Number(other.slot - one.slot));
  const made = examined.makings.map(({ time }) => time.getTime());
  return { ok: true, value: { payments, createdAt: made.length === 0 ? null : new Date(Math.max(...made)) } };
}

/** The end of a look that has more to examine. */
const UNFINISHED = { ok: false, unavailable: { kind: 'transport' } } as const;

/** Adds a transaction of the account to an examination. */
function withTransaction(
  examined: Examined,
  { signature, slot }: HistoryEntry,
  landed: AnyLandedTransaction,
  of: { readonly subscription: Address; readonly charger: Address },
): Examined {
  const payment = paymentIn(landed, of);
  const makes = landed.instructions.some((instruction) => createsSubscription(instruction, of.subscription));
  const { payments, makings } = examined;
  return {
    ...examined,
    payments: payment === null ? payments : new Map([...payments, [signature, { ...payment, signature }]]),
    makings: makes ? [...makings, { slot, time: fromUnixSeconds(landed.time) }] : makings,
  };
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

/** Anyone can name the account behind those of a `subscribe` for another one, which the program ignores. */
function createsSubscription({ program, accounts, data }: LandedInstruction, subscription: Address): boolean {
  return (
    program === SUBSCRIPTIONS_PROGRAM &&
    data[0] === SUBSCRIBE_SELECTOR &&
    accounts[SUBSCRIBED_ACCOUNT_INDEX] === subscription
  );
}
