import { describe, expect, test } from 'vitest';
import type { HttpOutcome } from '../ports/http-sender.js';
import type { Delivery } from '../records/index.js';
import { aDelivery, anEndpoint } from '../testing/records.js';
import { afterAttempt, endpointAfterAttempt, excerpt, isSuccess } from './attempt-result.js';
import { HOUR, DAY } from '../testing/units-of-time.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

function answered(
  status: number,
  given: Partial<Extract<HttpOutcome, { kind: 'answered' }>> = {},
): HttpOutcome {
  return { kind: 'answered', status, retryAfter: null, excerpt: '', ...given };
}

// deliveries#success-and-failure
describe('an attempt', () => {
  test.each([200, 201, 202, 204, 299])('succeeds with status %i', (status) => {
    expect(isSuccess(answered(status))).toBe(true);
  });
  test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 404, 410, 429, 500, 503])(
    'fails with status %i',
    (status) => {
      expect(isSuccess(answered(status))).toBe(false);
    },
  );
  test('fails without a response', () => {
    expect(isSuccess({ kind: 'timed_out' })).toBe(false);
    expect(isSuccess({ kind: 'failed', reason: 'ECONNREFUSED' })).toBe(false);
    expect(isSuccess({ kind: 'refused', reason: 'private' })).toBe(false);
  });
});

/** A delivery after an attempt that took 120 ms and ended at `NOW`. */
function deliveryAfterAttempt(delivery: Delivery, outcome: HttpOutcome, jitter = 0) {
  return afterAttempt(delivery, outcome, { startedAt: ago(120), endedAt: NOW, jitter }).delivery;
}

describe('a delivery after an attempt', () => {
  const delivery = aDelivery({ attempts: 2 });

  test('delivers and settles a delivery whose attempt succeeded', () => {
    expect(deliveryAfterAttempt(delivery, answered(204, { excerpt: 'thanks' }), 0.5)).toEqual({
      ...delivery,
      state: 'delivered',
      attempts: 3,
      nextAttemptAt: null,
      lastStatus: 204,
      lastExcerpt: 'thanks',
      settledAt: NOW,
    });
  });

  // deliveries#response-excerpt
  test.each([
    [301, 'https://www.example.com/', 'Redirects to https://www.example.com/, which is not followed. Moved'],
    [308, '/hooks/', 'Redirects to /hooks/, which is not followed. Moved'],
    [307, null, 'Moved'],
    [302, '', 'Moved'],
    [201, '/created/1', 'Moved'],
    [500, '/elsewhere', 'Moved'],
  ])('keeps of an answer %i where it redirects to: %s', (status, location, expected) => {
    const outcome = answered(status, { location, excerpt: 'Moved' });
    expect(deliveryAfterAttempt(delivery, outcome).lastExcerpt).toBe(expected);
  });

  test('schedules the next attempt after a failure', () => {
    expect(deliveryAfterAttempt(delivery, answered(500))).toEqual({
      ...delivery,
      state: 'pending',
      attempts: 3,
      nextAttemptAt: new Date(NOW.getTime() + 30 * 60_000),
      lastStatus: 500,
      lastExcerpt: '',
      settledAt: null,
    });
  });

  test('fails a delivery whose eleventh attempt failed', () => {
    const after = deliveryAfterAttempt(aDelivery({ attempts: 10 }), { kind: 'timed_out' });
    expect(after).toMatchObject({ state: 'failed', attempts: 11, nextAttemptAt: null, settledAt: NOW });
  });

  // deliveries#retry-after-of-an-endpoint
  test('honours Retry-After on 429 and 503, and on no other status', () => {
    const first = aDelivery();
    const waits = (status: number) => {
      const { nextAttemptAt } = deliveryAfterAttempt(first, answered(status, { retryAfter: 100 }));
      return (nextAttemptAt?.getTime() ?? 0) - NOW.getTime();
    };
    expect(waits(429)).toBe(100_000);
    expect(waits(503)).toBe(100_000);
    expect(waits(500)).toBe(60_000);
  });

  // deliveries#resend
  test('counts the attempts since it was sent again', () => {
    const resent = aDelivery({ attempts: 11, attemptsBefore: 11 });
    expect(deliveryAfterAttempt(resent, answered(500))).toMatchObject({
      state: 'pending',
      attempts: 12,
      nextAttemptAt: new Date(NOW.getTime() + 60_000),
    });
    expect(deliveryAfterAttempt({ ...resent, attempts: 21 }, answered(500)).state).toBe('failed');
  });

  // deliveries#test-delivery
  test('fails a test after one attempt', () => {
    const test = aDelivery({ eventId: null, type: 'test', nextAttemptAt: null });
    expect(deliveryAfterAttempt(test, answered(500))).toMatchObject({ state: 'failed', nextAttemptAt: null });
  });

  // deliveries#delivery-log
  test('comes with its attempt', () => {
    const { attempt, wasDueAt } = afterAttempt(delivery, answered(503, { excerpt: 'busy' }), {
      startedAt: ago(120),
      endedAt: NOW,
      jitter: 0,
    });
    expect(wasDueAt).toBe(delivery.nextAttemptAt);
    expect(attempt).toEqual({
      deliveryId: delivery.id,
      number: 3,
      startedAt: ago(120),
      durationMs: 120,
      status: 503,
      excerpt: 'busy',
      nextAttemptAt: new Date(NOW.getTime() + 30 * 60_000),
    });
  });

  test.each([
    [{ kind: 'timed_out' }, 'No answer in time.'],
    [{ kind: 'failed', reason: 'ECONNREFUSED' }, 'No answer: ECONNREFUSED'],
    [{ kind: 'refused', reason: 'not public' }, 'Not sent: not public'],
  ] as const)('describes %o in words, without a status', (outcome, words) => {
    expect(deliveryAfterAttempt(delivery, outcome)).toMatchObject({ lastStatus: null, lastExcerpt: words });
  });
});

// deliveries#response-excerpt
describe('an excerpt', () => {
  test('has at most 1,024 characters', () => {
    expect(excerpt('x'.repeat(5_000))).toBe('x'.repeat(1_024));
  });
  test('has no control characters, C1 and DEL included', () => {
    expect(excerpt('a\u0000b\u001b[31mc\r\nd\u007fe\u009bf\tg')).toBe('ab[31mcdefg');
  });
  test('has no lone surrogates', () => {
    expect(excerpt(`${'x'.repeat(1_023)}𝄞`)).toBe('x'.repeat(1_023));
    expect(excerpt('a\ud834')).toBe('a');
  });
});

// deliveries#endpoint-failing-three-days
describe('endpointAfterAttempt', () => {
  test('does not change an endpoint that succeeds and was not failing', () => {
    const endpoint = anEndpoint();
    expect(endpointAfterAttempt(endpoint, answered(200), NOW, false)).toBe(endpoint);
  });

  test('records the first failure', () => {
    const endpoint = anEndpoint({ version: 4 });
    expect(endpointAfterAttempt(endpoint, answered(500), NOW, false)).toEqual({
      ...endpoint,
      version: 5,
      failingSince: NOW,
    });
  });

  /** How long the eleven attempts of a delivery take at least. */
  const SCHEDULE = 74.6 * HOUR;

  test.each([
    [SCHEDULE, false],
    [SCHEDULE - 1, true],
    [10 * DAY, false],
  ])('does not change one that has failed for %i ms, when that was a last attempt: %s', (ms, isLast) => {
    const endpoint = anEndpoint({ failingSince: ago(ms) });
    expect(endpointAfterAttempt(endpoint, answered(500), NOW, isLast)).toBe(endpoint);
  });

  test('disables an endpoint when the last attempt of the first delivery that failed fails', () => {
    const endpoint = anEndpoint({ failingSince: ago(SCHEDULE) });
    expect(endpointAfterAttempt(endpoint, { kind: 'timed_out' }, NOW, true)).toMatchObject({
      version: endpoint.version + 1,
      enabled: false,
      disabledReason: 'failing',
    });
  });

  test('starts the three days again after a success', () => {
    const endpoint = anEndpoint({ failingSince: ago(10 * DAY) });
    const recovered = endpointAfterAttempt(endpoint, answered(200), NOW, false);
    expect(recovered).toMatchObject({ enabled: true, failingSince: null });
    expect(endpointAfterAttempt(recovered, answered(500), NOW, true)).toMatchObject({
      enabled: true,
      failingSince: NOW,
    });
  });

  // deliveries#endpoint-gone
  test('disables an endpoint that answers 410', () => {
    expect(endpointAfterAttempt(anEndpoint(), answered(410), NOW, false)).toMatchObject({
      enabled: false,
      disabledReason: 'gone',
    });
  });

  test('does not change an endpoint that is disabled already', () => {
    const endpoint = anEndpoint({ enabled: false });
    expect(endpointAfterAttempt(endpoint, answered(410), NOW, false)).toBe(endpoint);
    expect(endpointAfterAttempt(endpoint, answered(200), NOW, false)).toBe(endpoint);
  });
});
