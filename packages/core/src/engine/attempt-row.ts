import type { Service } from '../service.js';
import type { Row } from './row.js';

/** Runs a step for one row; a fault of it holds up no other row, and the row comes back when its lease ends. */
export function attemptRow(service: Service, row: Row, step: () => void): void {
  try {
    step();
  } catch (cause) {
    row.abandon();
    service.logger.error(
      { subscription: row.subscription.id, cause },
      'A subscription could not be worked on; it is tried again when its lease ends.',
    );
  }
}

/** Runs a step for each row; answers those it went well for. */
export function attemptRows(
  service: Service,
  rows: readonly Row[],
  step: (row: Row) => void,
): readonly Row[] {
  for (const row of rows) attemptRow(service, row, () => step(row));
  return rows.filter((row) => !row.abandoned);
}
