import type { HttpOutcome } from '../ports/http-sender.js';
import type { Delivery, Endpoint } from '../records/index.js';
import { excerpt } from './excerpt.js';
import { nextAttemptAt } from './retry-schedule.js';

/** deliveries#endpoint-failing-three-days: for how long an endpoint may fail without a success before it is turned off. */
const FAILING_LIMIT_MS = 3 * 24 * 3_600_000;

/** Only a 2xx is a success: every other answer, a redirect included, and every silence is a failure (contract, Delivery). */
export function isSuccess(outcome: HttpOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

/** A delivery after one more attempt that ended at `now`. `jitter` is from 0 to 1. */
export function deliveryAfter(delivery: Delivery, outcome: HttpOutcome, now: Date, jitter: number): Delivery {
  const attempts = delivery.attempts + 1;
  const after = {
    ...delivery,
    attempts,
    lastStatus: outcome.kind === 'answered' ? outcome.status : null,
    lastExcerpt: excerpt(inWords(outcome)),
  };
  if (isSuccess(outcome)) return { ...after, state: 'delivered', nextAttemptAt: null, settledAt: now };
  const next = nextAttemptAt(attempts, now, { jitter, retryAfter: askedToWait(outcome) });
  return next === null
    ? { ...after, state: 'failed', nextAttemptAt: null, settledAt: now }
    : { ...after, state: 'pending', nextAttemptAt: next };
}

/**
 * An endpoint after an attempt at it ended at `now`: its failing begins, goes on or is over, and it is turned off by a 410 or by
 * three days of failing (deliveries#endpoint-failing-three-days). The same object when nothing changes; else its next version.
 */
export function endpointAfter(endpoint: Endpoint, outcome: HttpOutcome, now: Date): Endpoint {
  if (!endpoint.enabled) return endpoint;
  const version = endpoint.version + 1;
  if (isSuccess(outcome)) {
    return endpoint.failingSince === null ? endpoint : { ...endpoint, version, failingSince: null };
  }
  const failingSince = endpoint.failingSince ?? now;
  if (outcome.kind === 'answered' && outcome.status === 410) {
    return { ...endpoint, version, failingSince, enabled: false, disabledReason: 'gone' };
  }
  if (now.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS) {
    return { ...endpoint, version, failingSince, enabled: false, disabledReason: 'failing' };
  }
  return endpoint.failingSince === null ? { ...endpoint, version, failingSince } : endpoint;
}

function askedToWait(outcome: HttpOutcome): number | null {
  if (outcome.kind !== 'answered') return null;
  return outcome.status === 429 || outcome.status === 503 ? outcome.retryAfter : null;
}

function inWords(outcome: HttpOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return outcome.excerpt;
    case 'timed_out':
      return 'No answer in time.';
    case 'failed':
      return `No answer: ${outcome.reason}`;
    case 'refused':
      return `Not sent: ${outcome.reason}`;
  }
}
