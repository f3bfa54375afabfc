import type { Mail } from '../records/index.js';
import { plus } from './billing-periods.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a claimed mail is left to its sender: twice the longest try. */
export const MAIL_CLAIM_MS = 2 * MINUTE;

/** The waits after the first tries. */
const WAITS_MS: readonly number[] = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR];

/** The wait after each later one, and the longest. */
export const LAST_MAIL_WAIT_MS = 6 * HOUR;

/** How long after its first try a mail is tried. */
const TRIED_FOR_MS = 24 * HOUR;

/**
 * When a mail is tried again after a try that failed, or null when it is given up (mails#order-of-tries).
 * @param isOfServer whether the server failed, and not the mail (mails#mail-server-that-fails)
 */
export function nextTryOf(
  { attempts, firstAttemptAt }: Pick<Mail, 'attempts' | 'firstAttemptAt'>,
  isOfServer: boolean,
  now: Date,
): Date | null {
  const next = plus(now, isOfServer ? MINUTE : (WAITS_MS[attempts - 1] ?? LAST_MAIL_WAIT_MS));
  return firstAttemptAt !== null && next > plus(firstAttemptAt, TRIED_FOR_MS) ? null : next;
}
