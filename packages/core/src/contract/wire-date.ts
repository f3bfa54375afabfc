/** D1.10: a date on the wire is ISO 8601 in UTC with exactly three decimals and `Z`. */
export function toWireDate(date: Date): string;
export function toWireDate(date: Date | null): string | null;
export function toWireDate(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
