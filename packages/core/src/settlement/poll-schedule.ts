import type { Transfer } from '../records/index.js';
import { plus } from '../rules/billing-periods.js';

/** How long a transfer waits before the wait is recorded (attempts#long-wait-recorded-once). */
const LONG_WAIT_MS = 2 * 60_000;

/** Whether a transfer has waited so long for its outcome that the wait must be recorded. */
export function hasWaitedLong({ createdAt }: Pick<Transfer, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > LONG_WAIT_MS;
}

/** When an open transfer is looked up again: in two seconds, or in 30 after a long wait. */
export function nextPollAt(transfer: Pick<Transfer, 'createdAt'>, now: Date): Date {
  return plus(now, hasWaitedLong(transfer, now) ? 30_000 : 2_000);
}
