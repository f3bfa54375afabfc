import { describe, expect, expectTypeOf, it } from 'vitest';

import { Unavailable } from '../../ports/unavailable.js';
import { atFirstRequest } from '../at-first-request.js';
import { contractGate } from '../gate.js';
import { createRouter } from '../router.js';
import type { HandlerRequest } from '../handler-request.js';
import type { FetchHandler } from '../fetch-handler.js';
import { createHandler, createRefuse } from '../handler.js';
import { MOUNT_REQUESTS, withoutRequestId } from './mount-requests.js';
import { KEY, SAMPLE_OPERATIONS, handlerFixture, serviceFixture, type CallOptions } from './fixtures.js';

const ORIGIN = 'https://billing.example';

function handlerRequest(
  path: string,
  { method = 'GET', key = KEY, headers = {}, body = null }: CallOptions,
): HandlerRequest {
  const { pathname, search } = new URL(path, ORIGIN);
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
  it.each(MOUNT_REQUESTS)(
    '%s gets the same status, headers and body from the plain router as over fetch',
    async (_, path, options) => {
      const fetched = await handlerFixture().call(path, options);
      const { service } = serviceFixture().billing;
      const route = createRouter(service, contractGate(service, SAMPLE_OPERATIONS));
      const plain = await route(handlerRequest(path, options));
      const headers = new Headers({ ...plain.headers });
      expect(plain.status).toBe(fetched.status);
      expect(withoutRequestId(plain.body as string)).toBe(withoutRequestId(fetched.text));
      expect([...headers].map(([name, value]) => `${name}: ${withoutRequestId(value)}`)).toEqual(
        [...fetched.headers].map(([name, value]) => `${name}: ${withoutRequestId(value)}`),
      );
    },
  );

  it.each(['not_found', 'internal_error', 'unavailable'] as const)(
    'refuses in front of a handler as the handler does, also under a base path: %s',
    (code) => {
      const { random } = serviceFixture().billing.service;
      const refuse = createRefuse(random, { basePath: '/billing' });
      const { status, headers, body } = refuse(handlerRequest('/billing/v1/widgets', {}), code);
      const error = JSON.parse(body) as Record<string, unknown>;
      expect(error).toMatchObject({ statusCode: status, code, request_id: headers['Service-Request-Id'] });
      expect(headers['Service-Version']).toBe('2026-10-02');
      expect(refuse(handlerRequest('/v1/widgets', {}), code).headers).not.toHaveProperty('Service-Version');
    },
  );
});

// A framework passes more arguments: Next the parameters of the route, a Worker its environment.
describe('the fetch handler', () => {
  it('has one parameter, so that it is a route of Next and of a Worker as it is', () => {
    expectTypeOf<Parameters<FetchHandler>>().toEqualTypeOf<[request: Request]>();
    expect(createHandler(serviceFixture().billing)).toHaveLength(1);
  });

  it('ignores every further argument: none changes the address that a call is counted by', async () => {
    const handler = createHandler(serviceFixture().billing, {
      clientAddress: ({ headers }) => headers.get('x-client'),
    });
    const remaining = async (...further: unknown[]) => {
      const request = new Request(`${ORIGIN}/v1/plans`, { headers: { 'x-client': '203.0.113.7' } });
      const call: (...given: [Request, ...unknown[]]) => Promise<Response> = handler;
      return (await call(request, ...further)).headers.get('X-RateLimit-Remaining');
    };
    expect(await remaining()).toBe('119');
    expect(await remaining({ params: Promise.resolve({ path: ['v1', 'plans'] }) })).toBe('118');
    expect(await remaining({ ip: '198.51.100.1', clientAddress: () => '198.51.100.2' }, {})).toBe('117');
  });
});

it('a service that the first request opens has one handler, until another one is open', async () => {
  let open = 'first';
  const made: string[] = [];
  const handler = atFirstRequest(
    async () => open,
    (opened) => {
      made.push(opened);
      return async () => new Response(opened);
    },
  );
  const answer = async () => (await handler(new Request(ORIGIN))).text();
  expect(made).toEqual([]);
  expect([await answer(), await answer()]).toEqual(['first', 'first']);
  open = 'second';
  expect(await answer()).toBe('second');
  expect(made).toEqual(['first', 'second']);
});

// errors#store-unavailable
it('a service whose database is away is unavailable, and the log says it once for each failure', async () => {
  let away = new Unavailable('No Postgres server can be reached at db.example.');
  const logged: unknown[] = [];
  const { random } = serviceFixture().billing.service;
  const logger = { debug() {}, info() {}, warn() {}, error: (_: object, text: string) => logged.push(text) };
  const open = Object.assign(() => Promise.reject(away), { failurePorts: { logger, random } });
  const handler = atFirstRequest<never>(open, () => async () => new Response());
  const answer = () => handler(new Request(`${ORIGIN}/v1/plans`));
  const { status, headers } = await answer();
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(await (await answer()).json()).toMatchObject({ code: 'unavailable' });
  expect(logged).toEqual([`The service could not be opened. ${away.message}`]);
  away = new Unavailable(away.message);
  await answer();
  expect(logged).toHaveLength(2);
});
