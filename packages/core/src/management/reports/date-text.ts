import { toWireDate } from '../../contract/scalars.js';

/** The date of an instant in UTC, such as `2026-10-02`. */
export function dateText(instant: Date): string {
  return toWireDate(instant).slice(0, 10);
}

/** The first instant of a day that `dateText` wrote. */
export function dayOfText(text: string): Date {
  return new Date(`${text}T00:00:00.000Z`);
}
