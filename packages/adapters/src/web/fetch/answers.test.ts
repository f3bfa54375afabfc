import { delay, http, HttpResponse } from 'msw';
import type { HttpOutcome } from '@subrail/core/ports';
import { expect, test } from 'vitest';
import { mockNetwork } from '../../tests/mock-network.js';
import { createFetchSender } from './fetch-sender.js';

const URL_OF_ENDPOINT = 'https://hooks.example.com/subrail';

const server = mockNetwork();

const answered = (
  status: number,
  parts: { retryAfter?: number; location?: string; excerpt?: string } = {},
): HttpOutcome => ({
  kind: 'answered',
  status,
  retryAfter: null,
  location: null,
  excerpt: '',
  ...parts,
});

async function postTo(answer: () => Response | Promise<Response>, timeoutMs = 5_000): Promise<HttpOutcome> {
  server.use(http.post(URL_OF_ENDPOINT, answer));
  return createFetchSender().post({ url: URL_OF_ENDPOINT, headers: {}, body: '{}', timeoutMs });
}

// deliveries#success-and-failure, deliveries#retry-after-of-an-endpoint, deliveries#response-excerpt
test.each<[string, () => Response, HttpOutcome]>([
  [
    'an answer of 200 with its excerpt',
    () => HttpResponse.text('thanks'),
    answered(200, { excerpt: 'thanks' }),
  ],
  [
    'a redirect with its location, without following it',
    () => HttpResponse.text(null, { status: 302, headers: { Location: 'https://elsewhere.example.com/' } }),
    answered(302, { location: 'https://elsewhere.example.com/' }),
  ],
  [
    'an answer of 410 with its excerpt',
    () => HttpResponse.text('gone', { status: 410 }),
    answered(410, { excerpt: 'gone' }),
  ],
  [
    'an answer of 429 with its Retry-After',
    () => HttpResponse.text(null, { status: 429, headers: { 'Retry-After': '90' } }),
    answered(429, { retryAfter: 90 }),
  ],
  [
    'an answer of 503 with its Retry-After',
    () => HttpResponse.text(null, { status: 503, headers: { 'Retry-After': '120' } }),
    answered(503, { retryAfter: 120 }),
  ],
  [
    'the first 1,024 bytes of an answer of five megabytes',
    () => HttpResponse.text('x'.repeat(5 * 2 ** 20)),
    answered(200, { excerpt: 'x'.repeat(1_024) }),
  ],
])('a post returns %s', async (_, answer, outcome) => {
  expect(await postTo(answer)).toEqual(outcome);
});

test('a post returns timed_out after its deadline, and failed when the connection breaks', async () => {
  expect(
    await postTo(async () => {
      await delay(1_000);
      return HttpResponse.text(null);
    }, 50),
  ).toEqual({ kind: 'timed_out' });
  expect(await postTo(() => HttpResponse.error())).toMatchObject({ kind: 'failed' });
});
