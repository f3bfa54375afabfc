import type { HttpOutcome } from '../ports/http-sender.js';
import type { SettledDelivery } from '../ports/store.js';
import type { Delivery, Endpoint } from '../records/index.js';
import { SCHEDULE_MS, nextAttemptAt } from './retry-schedule.js';

/** How much of a response is kept. */
const EXCERPT_LENGTH = 1_024;

/**
 * Whether an attempt succeeded: by a 2xx. Any other status, also a redirect, and no response are failures.
 */
export function isSuccess(outcome: HttpOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

/** When an attempt began and ended, by the clock of the host that made it. */
interface Timing {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** From 0 to 1. */
  readonly jitter: number;
}

/** Returns a pending delivery after one more attempt, and the attempt. A test has one attempt only. */
export function afterAttempt(
  delivery: Delivery,
  outcome: HttpOutcome,
  { startedAt, endedAt, jitter }: Timing,
): SettledDelivery {
  const attempts = delivery.attempts + 1;
  const status = outcome.kind === 'answered' ? outcome.status : null;
  const words = excerpt(describeOutcome(outcome));
  const retryAfter = retryAfterOf(outcome);
  const next =
    isSuccess(outcome) || delivery.eventId === null
      ? null
      : nextAttemptAt(attempts - delivery.attemptsBefore, endedAt, { jitter, retryAfter });
  const pending = next !== null;
  return {
    delivery: {
      ...delivery,
      state: isSuccess(outcome) ? 'delivered' : pending ? 'pending' : 'failed',
      attempts,
      lastStatus: status,
      lastExcerpt: words,
      nextAttemptAt: next,
      settledAt: pending ? null : endedAt,
    },
    wasDueAt: delivery.nextAttemptAt,
    attempt: {
      deliveryId: delivery.id,
      number: attempts,
      startedAt,
      durationMs: Math.max(0, endedAt.getTime() - startedAt.getTime()),
      status,
      excerpt: words,
      nextAttemptAt: next,
    },
  };
}

/**
 * Returns an endpoint after an attempt: the next version, or the same object when nothing changes. A first
 * failure sets `failingSince`, and a success clears it. A 410 disables the endpoint. So does the last attempt
 * of a delivery, when the endpoint has failed for as long as all attempts of one take
 * (deliveries#endpoint-failing-three-days).
 * @param isLast whether the attempt failed and was the last one of its delivery
 */
export function endpointAfterAttempt(
  endpoint: Endpoint,
  outcome: HttpOutcome,
  endedAt: Date,
  isLast: boolean,
): Endpoint {
  if (!endpoint.enabled) return endpoint;
  const version = endpoint.version + 1;
  if (isSuccess(outcome)) {
    return endpoint.failingSince === null ? endpoint : { ...endpoint, version, failingSince: null };
  }
  const failingSince = endpoint.failingSince ?? endedAt;
  if (outcome.kind === 'answered' && outcome.status === 410) {
    return { ...endpoint, version, failingSince, enabled: false, disabledReason: 'gone' };
  }
  if (isLast && endedAt.getTime() - failingSince.getTime() >= SCHEDULE_MS) {
    return { ...endpoint, version, failingSince, enabled: false, disabledReason: 'failing' };
  }
  return endpoint.failingSince === null ? { ...endpoint, version, failingSince } : endpoint;
}

/** Returns the start of a response, without control characters and lone surrogates. */
export function excerpt(text: string): string {
  // The text is cut before it is cleaned, so that cleaning does not take longer for a longer response.
  const clean = text.slice(0, 4 * EXCERPT_LENGTH).replace(/[\p{Cc}\p{Cs}]/gu, '');
  return clean.slice(0, EXCERPT_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns the seconds of `Retry-After` on a 429 or 503, and null on every other outcome. */
function retryAfterOf(outcome: HttpOutcome): number | null {
  if (outcome.kind !== 'answered') return null;
  return outcome.status === 429 || outcome.status === 503 ? outcome.retryAfter : null;
}

/** Whether an answer says where the endpoint moved to. A person who reads that knows what to correct. */
function isRedirect({ status, location }: Extract<HttpOutcome, { kind: 'answered' }>): boolean {
  return status >= 300 && status <= 399 && location != null && location !== '';
}

/** An outcome in words, as the record of an attempt has them. */
export function describeOutcome(outcome: HttpOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return isRedirect(outcome)
        ? `Redirects to ${outcome.location}, which is not followed. ${outcome.excerpt}`
        : outcome.excerpt;
    case 'timed_out':
      return 'No answer in time.';
    case 'failed':
      return `No answer: ${outcome.reason}`;
    case 'refused':
      return `Not sent: ${outcome.reason}`;
  }
}
