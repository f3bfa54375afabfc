import { describe, expect, it } from 'vitest';

import { answerRoutes } from '../../src/http/answer-routes.js';
import type { PlainRequest } from '../../src/http/plain.js';
import { serveRoutes } from '../../src/http/serve-routes.js';
import { KEY, THINGS, asking, json, world, type Ask } from './world.js';

const WHEREVER = 'https://billing.example';

function plainly(path: string, { method = 'GET', key = KEY, headers = {}, body = null }: Ask): PlainRequest {
  const { pathname, search } = new URL(path, WHEREVER);
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (key !== null) sent.set('authorization', `Bearer ${key}`);
  return {
    method,
    path: pathname,
    search,
    ip: '203.0.113.7',
    body: (async function* () {
      if (typeof body === 'string') yield new TextEncoder().encode(body);
    })(),
    header: (name) => sent.get(name) ?? null,
  };
}

const ASKED: readonly (readonly [string, string, Ask])[] = [
  ['an answer', '/v1/things?colour=red', {}],
  ['an answer to HEAD', '/v1/things', { method: 'HEAD' }],
  ['a created one', '/v1/things', json({ name: 'lamp' })],
  ['an accepted one', '/v1/things/a/retry', { method: 'POST' }],
  ['a refused query', '/v1/things?size=1', {}],
  ['a refused body', '/v1/things', json('{')],
  ['too long a body', '/v1/things', json('x'.repeat(100_001))],
  ['an unserved version', '/v1/things', { headers: { 'Service-Version': 'latest' } }],
  ['no key', '/v1/things', { key: null }],
  ['an unknown path', '/v1/nothing', {}],
  ['a path outside of /v1', '/', {}],
  ['a fault', '/v1/fault', {}],
  ['an outage', '/v1/outage', {}],
];

/** The id is made up for each answer. */
const withoutId = (text: string) => text.replaceAll(/req_[0-9A-Za-z]{24}/g, 'req_');

describe('every mount answers alike', () => {
  it.each(ASKED)(
    '%s has the same status, headers and body in plain values as over fetch',
    async (_, path, ask) => {
      const fetched = await asking(serveRoutes(world().billing.service, THINGS))(path, ask);
      const plain = await answerRoutes(world().billing.service, THINGS)(plainly(path, ask));
      const headers = new Headers({ ...plain.headers });
      expect(plain.status).toBe(fetched.status);
      expect(withoutId(plain.body)).toBe(withoutId(fetched.text));
      expect([...headers].map(([name, value]) => `${name}: ${withoutId(value)}`)).toEqual(
        [...fetched.headers].map(([name, value]) => `${name}: ${withoutId(value)}`),
      );
    },
  );
});
