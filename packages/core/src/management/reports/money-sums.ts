import { toAmountText } from '../../contract/scalars.js';
import type { ReportedAttempt } from '../../ports/index.js';
import { usdMillionths, usdText } from '../../rules/money.js';
import type { CountAndAmount, Collected } from './schemas.js';

/** A count, and a sum in the token's smallest unit. */
export interface Sum {
  count: number;
  amount: bigint;
}

/** The money of a plan or of a token in an overview. */
export interface MoneySums {
  readonly collected: Sum & { usdMillionths: bigint; unpriced: number };
  readonly failed: Sum;
  readonly wonBack: Sum;
  readonly owed: Sum;
}

export function noMoney(): MoneySums {
  const none = () => ({ count: 0, amount: 0n });
  return {
    collected: { ...none(), usdMillionths: 0n, unpriced: 0 },
    failed: none(),
    wonBack: none(),
    owed: none(),
  };
}

/** Counts a paid charge, a period won back, or a period whose first charge failed. */
export function countAttempt(
  { collected, failed, wonBack }: MoneySums,
  { outcome, amount, amountUsd, retry }: Pick<ReportedAttempt, 'outcome' | 'amount' | 'amountUsd' | 'retry'>,
): void {
  if (outcome === 'rejected' && !retry) add(failed, { count: 1, amount });
  if (outcome !== 'paid') return;
  add(collected, { count: 1, amount });
  const dollars = amountUsd === null ? null : usdMillionths(amountUsd);
  if (dollars === null) collected.unpriced += 1;
  else collected.usdMillionths += dollars;
  if (retry) add(wonBack, { count: 1, amount });
}

/** Adds the sums of a plan to those of its token. */
export function addMoney(to: MoneySums, { collected, failed, wonBack, owed }: MoneySums): void {
  add(to.collected, collected);
  to.collected.usdMillionths += collected.usdMillionths;
  to.collected.unpriced += collected.unpriced;
  add(to.failed, failed);
  add(to.wonBack, wonBack);
  add(to.owed, owed);
}

export function add(to: Sum, { count, amount }: Sum): void {
  to.count += count;
  to.amount += amount;
}

export function moneyWire({ collected, failed, wonBack, owed }: MoneySums) {
  return {
    collected: {
      ...sumWire(collected),
      amount_usd: usdText(collected.usdMillionths),
      unpriced: collected.unpriced,
    } satisfies Collected,
    failed: sumWire(failed),
    won_back: sumWire(wonBack),
    owed: sumWire(owed),
  };
}

export function sumWire({ count, amount }: Sum): CountAndAmount {
  return { count, amount: toAmountText(amount) };
}
