import { describe, expect, test } from 'vitest';
import type { HttpOutcome } from '../ports/http-sender.js';
import { aDelivery, anEndpoint } from '../testing/records.js';
import { deliveryAfter, endpointAfter, isSuccess } from './after-attempt.js';
import { excerpt } from './excerpt.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const DAY = 24 * 3_600_000;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

function answered(
  status: number,
  given: Partial<Extract<HttpOutcome, { kind: 'answered' }>> = {},
): HttpOutcome {
  return { kind: 'answered', status, retryAfter: null, excerpt: '', ...given };
}

describe('contract, Delivery: only 2xx within the time is a success', () => {
  test.each([200, 201, 202, 204, 299])('%i is', (status) => {
    expect(isSuccess(answered(status))).toBe(true);
  });
  test.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 404, 410, 429, 500, 503])('%i is not', (status) => {
    expect(isSuccess(answered(status))).toBe(false);
  });
  test('no answer is not', () => {
    expect(isSuccess({ kind: 'timed_out' })).toBe(false);
    expect(isSuccess({ kind: 'failed', reason: 'ECONNREFUSED' })).toBe(false);
    expect(isSuccess({ kind: 'refused', reason: 'private' })).toBe(false);
  });
});

describe('a delivery after an attempt', () => {
  const delivery = aDelivery({ attempts: 2 });

  test('that succeeded is delivered and settled', () => {
    expect(deliveryAfter(delivery, answered(204, { excerpt: 'thanks' }), NOW, 0.5)).toEqual({
      ...delivery,
      state: 'delivered',
      attempts: 3,
      nextAttemptAt: null,
      lastStatus: 204,
      lastExcerpt: 'thanks',
      settledAt: NOW,
    });
  });

  test('that failed waits for the next one', () => {
    expect(deliveryAfter(delivery, answered(500), NOW, 0)).toEqual({
      ...delivery,
      state: 'pending',
      attempts: 3,
      nextAttemptAt: new Date(NOW.getTime() + 30 * 60_000),
      lastStatus: 500,
      lastExcerpt: '',
      settledAt: null,
    });
  });

  test('that was the eleventh and failed has failed', () => {
    const after = deliveryAfter(aDelivery({ attempts: 10 }), { kind: 'timed_out' }, NOW, 0);
    expect(after).toMatchObject({ state: 'failed', attempts: 11, nextAttemptAt: null, settledAt: NOW });
  });

  test('deliveries#retry-after-of-an-endpoint: waits longer for 429 and 503, and for no other status', () => {
    const first = aDelivery();
    const waits = (status: number) => {
      const { nextAttemptAt } = deliveryAfter(first, answered(status, { retryAfter: 100 }), NOW, 0);
      return (nextAttemptAt?.getTime() ?? 0) - NOW.getTime();
    };
    expect(waits(429)).toBe(100_000);
    expect(waits(503)).toBe(100_000);
    expect(waits(500)).toBe(60_000);
  });

  test.each([
    [{ kind: 'timed_out' }, 'No answer in time.'],
    [{ kind: 'failed', reason: 'ECONNREFUSED' }, 'No answer: ECONNREFUSED'],
    [{ kind: 'refused', reason: 'not public' }, 'Not sent: not public'],
  ] as const)('keeps %o in words, without a status', (outcome, words) => {
    expect(deliveryAfter(delivery, outcome, NOW, 0)).toMatchObject({ lastStatus: null, lastExcerpt: words });
  });
});

describe('deliveries#response-excerpt: an excerpt', () => {
  test('has at most 1,024 characters', () => {
    expect(excerpt('x'.repeat(5_000))).toBe('x'.repeat(1_024));
  });
  test('has no control characters, C1 and DEL included', () => {
    expect(excerpt('a\u0000b\u001b[31mc\r\nd\u007fe\u009bf\tg')).toBe('ab[31mcdefg');
  });
  test('never ends in half a character', () => {
    expect(excerpt(`${'x'.repeat(1_023)}𝄞`)).toBe('x'.repeat(1_023));
    expect(excerpt('a\ud834')).toBe('a');
  });
});

describe('deliveries#endpoint-failing-three-days: an endpoint after an attempt', () => {
  test('that never failed and succeeds is left alone', () => {
    const endpoint = anEndpoint();
    expect(endpointAfter(endpoint, answered(200), NOW)).toBe(endpoint);
  });

  test('begins failing with its first failure', () => {
    const endpoint = anEndpoint({ version: 4 });
    expect(endpointAfter(endpoint, answered(500), NOW)).toEqual({
      ...endpoint,
      version: 5,
      failingSince: NOW,
    });
  });

  test('that goes on failing is left alone until three days have passed', () => {
    const endpoint = anEndpoint({ failingSince: ago(3 * DAY - 1) });
    expect(endpointAfter(endpoint, answered(500), NOW)).toBe(endpoint);
  });

  test('is turned off by a failure after three days of them', () => {
    const endpoint = anEndpoint({ failingSince: ago(3 * DAY) });
    expect(endpointAfter(endpoint, { kind: 'timed_out' }, NOW)).toMatchObject({
      version: endpoint.version + 1,
      enabled: false,
      disabledReason: 'failing',
    });
  });

  test('a success between begins the three days anew', () => {
    const endpoint = anEndpoint({ failingSince: ago(10 * DAY) });
    const healed = endpointAfter(endpoint, answered(200), NOW);
    expect(healed).toMatchObject({ enabled: true, failingSince: null });
    expect(endpointAfter(healed, answered(500), NOW)).toMatchObject({ enabled: true, failingSince: NOW });
  });

  test('410 turns it off at once', () => {
    expect(endpointAfter(anEndpoint(), answered(410), NOW)).toMatchObject({
      enabled: false,
      disabledReason: 'gone',
    });
  });

  test('that is off already stays as it is, whatever comes back from before', () => {
    const endpoint = anEndpoint({ enabled: false });
    expect(endpointAfter(endpoint, answered(410), NOW)).toBe(endpoint);
    expect(endpointAfter(endpoint, answered(200), NOW)).toBe(endpoint);
  });
});
