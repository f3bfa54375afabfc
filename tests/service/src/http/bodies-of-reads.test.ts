import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openServedWorld, type ServedWorld } from './served-world.js';

let served: ServedWorld;

beforeAll(async () => {
  served = await openServedWorld();
});
afterAll(() => served.close());

/** How a body is framed: its length is stated, or it comes in chunks. */
const FRAMINGS = ['length', 'chunks'] as const;

interface Answered {
  readonly status: number | undefined;
  readonly code: unknown;
}

/** Sends a request over a socket, with a body that fetch would not let a read have. */
async function send(
  method: 'GET' | 'HEAD' | 'POST',
  path: string,
  body: string,
  framing: (typeof FRAMINGS)[number],
): Promise<Answered> {
  const sent = request(`${served.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${served.key}`,
      'content-type': 'application/json',
      ...(framing === 'length'
        ? { 'content-length': Buffer.byteLength(body) }
        : { 'transfer-encoding': 'chunked' }),
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [response] = await answered;
  let text = '';
  for await (const piece of response) text += String(piece);
  const { code } = (text === '' ? {} : JSON.parse(text)) as { code?: unknown };
  return { status: response.statusCode, code };
}

const LONG = JSON.stringify({ zzz: 'x'.repeat(200_000) });

// requests#body-of-a-read, requests#body-size-limit
describe.each(FRAMINGS)('a body where none is known, framed by its %s', (framing) => {
  it.each([
    ['GET', '/v1/plans'],
    ['GET', '/v1/project'],
    ['GET', '/v1/events?limit=1'],
    ['HEAD', '/v1/plans'],
    ['POST', '/v1/subscriptions/sub_000000000000000000000000/transaction'],
  ] as const)('of %s %s is refused like an unknown field, and when it is too long', async (method, path) => {
    const seen = (code: string) => (method === 'HEAD' ? undefined : code);
    expect(await send(method, path, '{"zzz":1}', framing)).toEqual({
      status: 400,
      code: seen('invalid_request'),
    });
    expect(await send(method, path, '[]', framing)).toEqual({ status: 400, code: seen('invalid_request') });
    expect(await send(method, path, LONG, framing)).toEqual({
      status: 413,
      code: seen('payload_too_large'),
    });
  });

  it('may be an empty object, or empty', async () => {
    for (const body of ['', '{}'])
      expect(await send('GET', '/v1/plans', body, framing)).toEqual({ status: 200 });
  });
});
