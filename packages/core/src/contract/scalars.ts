import * as z from 'zod';

/** An instant: ISO 8601 in UTC with exactly three decimals, such as `2026-10-02T08:30:00.000Z`. */
export const isoDate = z.iso.datetime({ precision: 3 });

/** The size of the cache: a prime, so instants some days apart have different places. */
const KEPT_TEXTS = 509;

/** The instants that were written last, each at the place that its seconds give, and their texts. */
const keptInstants = new Float64Array(KEPT_TEXTS).fill(NaN);
const keptTexts: string[] = Array.from({ length: KEPT_TEXTS }, () => '');

/** Writes an instant as answers carry it. Its year must be 0 to 9999. */
export function toWireDate(date: Date): string;
export function toWireDate(date: Date | null): string | null;
export function toWireDate(date: Date | null): string | null {
  if (date === null) return null;
  // Most instants are written several times, and a text takes a microsecond to make.
  const instant = date.getTime();
  const place = Math.abs(Math.floor(instant / 1000)) % KEPT_TEXTS;
  const kept = keptTexts[place];
  if (kept !== undefined && keptInstants[place] === instant) return kept;
  const text = date.toISOString();
  keptInstants[place] = instant;
  keptTexts[place] = text;
  return text;
}

const WHOLE = { error: 'must be a whole number as text, such as "9990000"' };

/** A whole number, such as an amount in the token's smallest unit: text, because a double may not hold it. */
export const amountText = z.string(WHOLE).regex(/^(0|[1-9][0-9]*)$/, { ...WHOLE, abort: true });

/** Writes an amount, a block height or lamports as answers carry them. */
export function toAmountText(amount: bigint): string {
  return amount.toString();
}

/** A number of dollars or of whole tokens as a decimal string, without sign or exponent. */
export const decimalText = z.string().regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/);
