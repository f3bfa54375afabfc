import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@subrail/core/testing';
import { whole } from './response-fields.js';
import type { RpcCall } from './failover.js';
import { mockNetwork } from '../../tests/mock-network.js';
import { callsOver } from '../tests/calls-over.js';
import { asTimePasses } from '../tests/fake-rpc.js';

const FIRST = 'http://first.example/rpc';
const SECOND = 'http://second.example/rpc';
const START = new Date('2026-01-01T00:00:00.000Z');

const server = mockNetwork();

const slot: RpcCall<bigint> = {
  send: (rpc, signal) => rpc.getSlot().send({ abortSignal: signal }),
  read: (answer) => whole(answer, 'slot'),
};

/** A response, or undefined for the result 7. */
type Respond = (id: string) => Response | undefined;
const works: Respond = () => undefined;
const SEVEN = { ok: true, value: 7n };
const UNAVAILABLE = { ok: false, unavailable: { kind: 'transport' } };

/** Failover over `FIRST` and `SECOND`, with the number of requests to each. */
function chainOf(...responses: readonly Respond[]) {
  const requests = responses.map(() => 0);
  const urls = [FIRST, SECOND].slice(0, responses.length);
  server.use(
    ...urls.map((url, index) =>
      http.post(url, async ({ request }) => {
        requests[index] = (requests[index] ?? 0) + 1;
        const { id } = (await request.json()) as { id: string };
        return responses[index]?.(id) ?? HttpResponse.json({ jsonrpc: '2.0', id, result: 7 });
      }),
    ),
  );
  const clock = new ManualClock(START);
  const call = callsOver(urls, clock, { answerMs: 10_000, totalMs: 30_000 });
  return { requests, clock, call: () => call(slot) };
}

const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  () =>
    new HttpResponse('{}', { status: code, headers });

describe('JSON-RPC over HTTP', () => {
  it('returns the result', async () => {
    expect(await chainOf(works).call()).toEqual(SEVEN);
  });

  it.each([
    ['500', status(500)],
    ['502', status(502)],
    ['403', status(403)],
    ['429 without a date', status(429)],
    ['a page instead of JSON', () => new HttpResponse('<html>', { status: 200 })],
    ['half a response', () => new HttpResponse('{"jsonrpc":"2.0","id"')],
    ['a broken connection', () => HttpResponse.error()],
  ])('calls the next endpoint after %s', async (_, respond) => {
    const chain = chainOf(respond, works);
    expect(await chain.call()).toEqual(SEVEN);
    expect(chain.requests).toEqual([1, 1]);
  });

  it('distinguishes an endpoint that refuses access from one that does not respond', async () => {
    const refused = chainOf(status(403));
    expect(await asTimePasses(refused.clock, refused.call())).toEqual({
      ok: false,
      unavailable: { kind: 'rpc', code: 8100002 },
    });
    const broken = chainOf(status(503));
    expect(await asTimePasses(broken.clock, broken.call())).toEqual(UNAVAILABLE);
  });
});

describe('Retry-After of an endpoint', () => {
  it.each([
    ['in seconds', '60'],
    ['as a date', new Date(START.getTime() + 60_000).toUTCString()],
  ])('is followed %s: the endpoint gets no earlier call', async (_, retryAfter) => {
    let limited = true;
    const chain = chainOf((id) => (limited ? status(429, { 'Retry-After': retryAfter })(id) : undefined));
    expect(await chain.call()).toEqual(UNAVAILABLE);
    limited = false;
    chain.clock.advance(29_999);
    expect(await chain.call()).toEqual(UNAVAILABLE);
    expect(chain.requests).toEqual([1]);
    chain.clock.advance(30_001);
    expect(await chain.call()).toEqual(SEVEN);
    expect(chain.requests).toEqual([2]);
  });

  it('is waited for when it ends within the time of the call', async () => {
    let limited = true;
    const chain = chainOf((id) => {
      const respond = limited ? status(503, { 'Retry-After': '20' }) : works;
      limited = false;
      return respond(id);
    });
    expect(await asTimePasses(chain.clock, chain.call())).toEqual(SEVEN);
    expect(chain.clock.now().getTime() - START.getTime()).toBeGreaterThanOrEqual(20_000);
  });

  it('does not keep other endpoints from being called', async () => {
    const chain = chainOf(status(429, { 'Retry-After': '60' }), works);
    await chain.call();
    await chain.call();
    expect(chain.requests).toEqual([1, 2]);
  });

  it('is limited to five minutes', async () => {
    const chain = chainOf(status(429, { 'Retry-After': '86400' }));
    await chain.call();
    chain.clock.advance(5 * 60_000);
    await chain.call();
    expect(chain.requests).toEqual([2]);
  });

  it('is ignored when it is malformed', async () => {
    const chain = chainOf(status(429, { 'Retry-After': 'soon' }));
    expect(await asTimePasses(chain.clock, chain.call())).toEqual(UNAVAILABLE);
    expect(chain.requests).toEqual([2]);
  });
});
