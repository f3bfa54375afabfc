import { openApiDocument, type HandlerRequest, type HandlerResponse } from '@subrail/core';
import type { ChainResult, Chain, ChainHead, Store } from '@subrail/core/ports';
import { describe, expect, test } from 'vitest';
import { createHostRouter } from './host-router.js';
import { createHealth } from './health.js';

const response = (body: string): HandlerResponse => ({ status: 200, headers: {}, body });

/** A request without headers and body. */
function request(method: string, path: string): HandlerRequest {
  return {
    method,
    path,
    search: '',
    ip: '203.0.113.7',
    body: (async function* () {})(),
    header: () => null,
  };
}

describe('createHostRouter', () => {
  const router = (basePath: string) =>
    createHostRouter({
      basePath,
      health: async () => response('healthy'),
      document: openApiDocument(),
      handler: async ({ method, path }) => response(`${method} ${path}`),
    });

  async function call(basePath: string, path: string, method = 'GET'): Promise<string> {
    return (await router(basePath)(request(method, path))).body;
  }

  test('answers GET and HEAD of /health under the base path', async () => {
    expect(await call('/billing', '/billing/health')).toBe('healthy');
    expect(await call('', '/health', 'HEAD')).toBe('');
  });

  test('serves the OpenAPI document without a key', async () => {
    expect(JSON.parse(await call('/billing', '/billing/openapi.json'))).toEqual(openApiDocument());
  });

  test.each([
    ['/billing', '/health', 'GET'],
    ['', '/health', 'POST'],
    ['', '/health/', 'GET'],
    ['', '/v1/plans', 'GET'],
  ])('under %j, passes %s by %s to the handler', async (basePath, path, method) => {
    expect(await call(basePath, path, method)).toBe(`${method} ${path}`);
  });
});

describe('/health', () => {
  const HEAD: ChainResult<ChainHead> = {
    ok: true,
    value: { slot: 7n, blockHeight: 6n, time: new Date('2026-01-01T00:00:00Z') },
  };

  async function getHealth({
    store = async () => null as Date | null,
    head = HEAD,
    stopping = false,
    at = '2026-01-01T00:01:01Z',
  }) {
    const health = createHealth({
      store: { nextWakeAt: store } as Pick<Store, 'nextWakeAt'> as Store,
      chain: { head: async () => head } as Pick<Chain, 'head'> as Chain,
      scheduler: {
        states: () => ({
          charges: { lastOk: new Date('2026-01-01T00:00:01Z'), failing: false },
          deliveries: { lastOk: null, failing: true },
        }),
      },
      version: '1.2.3',
      stopping: () => stopping,
      now: () => new Date(at),
    });
    const { status, body } = await health();
    return { status, body: JSON.parse(body) as Record<string, unknown> };
  }

  test('reports the state of store, chain and worker', async () => {
    expect(await getHealth({})).toEqual({
      status: 200,
      body: {
        status: 'ok',
        version: '1.2.3',
        store: 'ok',
        chain: { state: 'ok', slot: '7', time: '2026-01-01T00:00:00.000Z' },
        worker: {
          charges: { state: 'ok', last_ok_at: '2026-01-01T00:00:01.000Z' },
          deliveries: { state: 'failing', last_ok_at: null },
        },
      },
    });
  });

  test('reports a job as late when its last success was more than a minute ago', async () => {
    const { status, body } = await getHealth({ at: '2026-01-01T00:01:01.001Z' });
    expect(status).toBe(200);
    expect(body['worker']).toMatchObject({
      charges: { state: 'late', last_ok_at: '2026-01-01T00:00:01.000Z' },
    });
  });

  test('answers 200 and reports the chain as silent when it is unavailable', async () => {
    const { status, body } = await getHealth({ head: { ok: false, unavailable: { kind: 'transport' } } });
    expect([status, body['chain']]).toEqual([200, { state: 'silent', slot: null, time: null }]);
  });

  test('answers 503 when the store is unavailable', async () => {
    const { status, body } = await getHealth({ store: () => Promise.reject(new Error('disk')) });
    expect([status, body['status'], body['store']]).toEqual([503, 'unavailable', 'unavailable']);
  });

  test('answers 503 when the host is stopping, so that no new request is sent to it', async () => {
    const { status, body } = await getHealth({ stopping: true });
    expect([status, body['status']]).toEqual([503, 'stopping']);
  });
});
