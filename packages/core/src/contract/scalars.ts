import { z } from 'zod';

/** An instant in an answer: ISO 8601 in UTC with exactly three decimals, such as `2026-10-02T08:30:00.000Z`. */
export const isoDate = z.iso.datetime({ precision: 3 });

/** Writes an instant as answers carry it. Its year must be 0 to 9999. */
export function toWireDate(date: Date): string;
export function toWireDate(date: Date | null): string | null;
export function toWireDate(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

const WHOLE = { error: 'must be a whole number as text, such as "9990000"' };

/** A whole number, such as an amount in the token's smallest unit. It is text because it may not fit in a double. */
export const amountText = z.string(WHOLE).regex(/^(0|[1-9][0-9]*)$/, { ...WHOLE, abort: true });

/** Writes an amount, a block height or lamports as answers carry them. */
export function toAmountText(amount: bigint): string {
  return amount.toString();
}

/** A number of dollars or of whole tokens as a decimal string, without sign or exponent. */
export const decimalText = z.string().regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/);
