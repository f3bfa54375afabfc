import type { KnownPrice, Plan } from '../records/index.js';
import { usdMillionths } from './money.js';

/** The days of a month, on average, times 100,000 to be whole: 30.4375. */
const MONTH = { days: 304_375n, of: 10_000n } as const;

/**
 * What subscriptions to a plan pay in a month: the price divided by the period, times 30.4375 days, rounded
 * half up to the token's smallest unit (figures#monthly-recurring-revenue).
 */
export function monthlyRevenue(
  { amount, periodHours }: Pick<Plan, 'amount' | 'periodHours'>,
  count: number,
): bigint {
  const divisor = BigInt(periodHours) * MONTH.of;
  return roundedQuotient(BigInt(count) * amount * 24n * MONTH.days, divisor);
}

/** What an amount is worth at a known price, in millionths of a dollar, rounded half up; null without one. */
export function worthInMillionths(amount: bigint, price: KnownPrice | null): bigint | null {
  const dollars = price === null ? null : usdMillionths(price.amountUsd);
  return price === null || dollars === null ? null : roundedQuotient(amount * dollars, price.amount);
}

function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}
