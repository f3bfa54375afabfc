import { describe, expect, it } from 'vitest';

import { createRouter } from '../router.js';
import type { HandlerRequest } from '../handler-request.js';
import { createRefuse, mountFetch } from '../handler.js';
import { ASKED, withoutId } from './asked.js';
import { KEY, THINGS, asking, world, type Ask } from './world.js';

const WHEREVER = 'https://billing.example';

function plainly(
  path: string,
  { method = 'GET', key = KEY, headers = {}, body = null }: Ask,
): HandlerRequest {
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

describe('every mount answers alike', () => {
  it.each(ASKED)(
    '%s has the same status, headers and body in plain values as over fetch',
    async (_, path, ask) => {
      const fetched = await asking(mountFetch(world().billing.service, THINGS))(path, ask);
      const plain = await createRouter(world().billing.service, THINGS)(plainly(path, ask));
      const headers = new Headers({ ...plain.headers });
      expect(plain.status).toBe(fetched.status);
      expect(withoutId(plain.body)).toBe(withoutId(fetched.text));
      expect([...headers].map(([name, value]) => `${name}: ${withoutId(value)}`)).toEqual(
        [...fetched.headers].map(([name, value]) => `${name}: ${withoutId(value)}`),
      );
    },
  );

  it.each(['not_found', 'internal_error', 'unavailable'] as const)(
    'a refusal before the handler is the handler’s own, under a base path too: %s',
    (code) => {
      const { random } = world().billing.service;
      const refuse = createRefuse(random, { basePath: '/billing' });
      const { status, headers, body } = refuse(plainly('/billing/v1/things', {}), code);
      const told = JSON.parse(body) as Record<string, unknown>;
      expect(told).toMatchObject({ statusCode: status, code, request_id: headers['Service-Request-Id'] });
      expect(headers['Service-Version']).toBe('2026-10-02');
      expect(refuse(plainly('/v1/things', {}), code).headers).not.toHaveProperty('Service-Version');
    },
  );
});
