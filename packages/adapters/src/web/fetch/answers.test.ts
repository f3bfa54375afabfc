import { delay, http, HttpResponse } from 'msw';
import type { HttpOutcome } from '@subrail/core/ports';
import { expect, test } from 'vitest';
import { mockNetwork } from '../../tests/mock-network.js';
import { createFetchSender } from './fetch-sender.js';

const URL_OF_ENDPOINT = 'https://hooks.example.com/subrail';

const server = mockNetwork();

const answered = (
  status: number,
  given: { retryAfter?: number; location?: string; excerpt?: string } = {},
): HttpOutcome => ({
  kind: 'answered',
  status,
  retryAfter: null,
  location: null,
  excerpt: '',
  ...given,
});

/** Posts to an endpoint of a public name that answers so. */
async function postTo(answer: () => Response | Promise<Response>, timeoutMs = 5_000): Promise<HttpOutcome> {
  server.use(http.post(URL_OF_ENDPOINT, answer));
  return createFetchSender().post({ url: URL_OF_ENDPOINT, headers: {}, body: '{}', timeoutMs });
}

// deliveries#success-and-failure, deliveries#retry-after-of-an-endpoint, deliveries#response-excerpt
test.each<[string, () => Response, HttpOutcome]>([
  ['success', () => HttpResponse.text('thanks'), answered(200, { excerpt: 'thanks' })],
  [
    'a redirect',
    () => HttpResponse.text(null, { status: 302, headers: { Location: 'https://elsewhere.example.com/' } }),
    answered(302, { location: 'https://elsewhere.example.com/' }),
  ],
  ['that it is gone', () => HttpResponse.text('gone', { status: 410 }), answered(410, { excerpt: 'gone' })],
  [
    'too many requests',
    () => HttpResponse.text(null, { status: 429, headers: { 'Retry-After': '90' } }),
    answered(429, { retryAfter: 90 }),
  ],
  [
    'that it is busy',
    () => HttpResponse.text(null, { status: 503, headers: { 'Retry-After': '120' } }),
    answered(503, { retryAfter: 120 }),
  ],
  [
    'five megabytes',
    () => HttpResponse.text('x'.repeat(5 * 2 ** 20)),
    answered(200, { excerpt: 'x'.repeat(1_024) }),
  ],
])('an endpoint that answers %s', async (_, answer, outcome) => {
  expect(await postTo(answer)).toEqual(outcome);
});

test('an endpoint that answers after the deadline, or breaks the connection', async () => {
  expect(
    await postTo(async () => {
      await delay(1_000);
      return HttpResponse.text(null);
    }, 50),
  ).toEqual({ kind: 'timed_out' });
  expect(await postTo(() => HttpResponse.error())).toMatchObject({ kind: 'failed' });
});
