import type { Attempt } from '../records/index.js';

/** Writes the number of a receipt (receipts#number-of-a-receipt); null for what did not pay. */
export function receiptNumber({
  receiptNumber: number,
  receiptPrefix: prefix,
}: Pick<Attempt, 'receiptNumber' | 'receiptPrefix'>): string | null {
  if (number === null) return null;
  const digits = String(number).padStart(6, '0');
  return prefix === null ? digits : `${prefix}-${digits}`;
}
