import type { ProgramErrorName } from './errors.js';

/** The recorded period of a subscription. */
export interface Period {
  /** The start of the period, in Unix seconds. */
  readonly start: bigint;
  /** The amount pulled since `start`, in the smallest unit. */
  readonly pulled: bigint;
}

/** The limits of a pull: a subscription's terms and its plan's end. */
export interface Allowance {
  /** The most that can be pulled in each period, in the smallest unit. */
  readonly amount: bigint;
  /** The length of a period in seconds. */
  readonly length: bigint;
  /** The last second of the plan, in Unix seconds; 0 for a plan without end. */
  readonly endTs: bigint;
}

/** The recorded period after a pull, or the error with which the pull is refused. */
export type PullOutcome = { readonly period: Period } | { readonly refusal: ProgramErrorName };

export const SECONDS_PER_HOUR = 3600n;
const U64_MAX = 2n ** 64n - 1n;
const I64_MAX = 2n ** 63n - 1n;

/** The seconds in a number of hours, or undefined when 64 bits cannot hold them. */
export function periodSeconds(hours: bigint): bigint | undefined {
  const seconds = hours * SECONDS_PER_HOUR;
  return seconds > U64_MAX ? undefined : seconds;
}

/**
 * The period of a pull at `now` (program#period-arithmetic): on the grid, without the missed ones, and never
 * one that starts at or after the plan's end.
 */
export function rollForward(period: Period, length: bigint, endTs: bigint, now: bigint): Period {
  const current = gridStart(period.start, length, now);
  if (current === period.start) return period;
  if (endTs === 0n || current < endTs) return { start: current, pulled: 0n };
  const last = endTs - 1n < period.start ? period.start : gridStart(period.start, length, endTs - 1n);
  return last > period.start ? { start: last, pulled: 0n } : period;
}

/** The result of pulling `amount` at `now`. A refused pull changes nothing. */
export function pull(period: Period, allowance: Allowance, amount: bigint, now: bigint): PullOutcome {
  if (amount === 0n) return { refusal: 'InvalidAmount' };
  if (allowance.endTs !== 0n && now > allowance.endTs) return { refusal: 'DelegationExpired' };
  if (allowance.length === 0n || allowance.length > I64_MAX) return { refusal: 'InvalidPeriodLength' };
  if (now < period.start) return { refusal: 'DelegationNotStarted' };
  const { start, pulled } = rollForward(period, allowance.length, allowance.endTs, now);
  if (pulled > allowance.amount) return { refusal: 'ArithmeticUnderflow' };
  if (amount > allowance.amount - pulled) return { refusal: 'AmountExceedsPeriodLimit' };
  return { period: { start, pulled: pulled + amount } };
}

/** The end of a period in events: its boundary or an earlier plan's end (program#amount-due-in-a-period). */
export function periodEnd(start: bigint, length: bigint, endTs: bigint): bigint {
  const boundary = start + length;
  return endTs !== 0n && boundary > endTs ? endTs : boundary;
}

/**
 * The expiry of a subscription cancelled at `now`: the next boundary, at most one second after the plan's end
 * (program#cancellation-expiry). Undefined when 64 bits cannot hold it.
 */
export function cancellationExpiry(
  start: bigint,
  length: bigint,
  endTs: bigint,
  now: bigint,
): bigint | undefined {
  const boundary = gridStart(start, length, now) + length;
  if (boundary > I64_MAX) return undefined;
  return endTs !== 0n && boundary > endTs + 1n ? endTs + 1n : boundary;
}

function gridStart(start: bigint, length: bigint, instant: bigint): bigint {
  return start + ((instant - start) / length) * length;
}
