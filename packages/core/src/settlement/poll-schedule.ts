import type { Transfer } from '../records/index.js';
import { plus } from '../rules/billing-periods.js';

/** attempts#long-wait-recorded-once: a wait that outlives this is put on record, once for each transfer. */
const LONG_WAIT_MS = 2 * 60_000;

export function waitedLong(transfer: Transfer, now: Date): boolean {
  return now.getTime() - transfer.createdAt.getTime() > LONG_WAIT_MS;
}

/** When a transfer that is under way is looked up again: every two seconds while it is young, then every half a minute. */
export function nextPollAt(transfer: Pick<Transfer, 'createdAt'>, now: Date): Date {
  const young = now.getTime() - transfer.createdAt.getTime() <= LONG_WAIT_MS;
  return plus(now, young ? 2_000 : 30_000);
}
