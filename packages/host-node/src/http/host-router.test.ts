import { openApiDocument } from '@subrail/core';
import type { HandlerResponse } from '@subrail/core';
import type { Answer, Chain, ChainHead, Store } from '@subrail/core/ports';
import { describe, expect, test } from 'vitest';
import { createHostRouter } from './host-router.js';
import { createHealth } from './health.js';
import { plainly } from './tests/handler-request.js';

const saying = (body: string): HandlerResponse => ({ status: 200, headers: {}, body });

describe('the front door', () => {
  const front = (basePath: string) =>
    createHostRouter({
      basePath,
      health: async () => saying('healthy'),
      document: openApiDocument(),
      handler: async ({ method, path }) => saying(`${method} ${path}`),
    });

  async function ask(basePath: string, path: string, method = 'GET'): Promise<string> {
    return (await front(basePath)(plainly(method, path))).body;
  }

  test('health is under the base path and answers GET and HEAD', async () => {
    expect(await ask('/billing', '/billing/health')).toBe('healthy');
    expect(await ask('', '/health', 'HEAD')).toBe('');
  });

  test('the OpenAPI document is beside it, without a key', async () => {
    expect(JSON.parse(await ask('/billing', '/billing/openapi.json'))).toEqual(openApiDocument());
  });

  test.each([
    ['/billing', '/health', 'GET'],
    ['', '/health', 'POST'],
    ['', '/health/', 'GET'],
    ['', '/v1/plans', 'GET'],
  ])('under %j, %s by %s is the contract’s to answer', async (basePath, path, method) => {
    expect(await ask(basePath, path, method)).toBe(`${method} ${path}`);
  });
});

describe('/health', () => {
  const HEAD: Answer<ChainHead> = {
    ok: true,
    value: { slot: 7n, blockHeight: 6n, time: new Date('2026-01-01T00:00:00Z') },
  };

  async function ask({
    store = async () => null as Date | null,
    head = HEAD,
    stopping = false,
    at = '2026-01-01T00:01:01Z',
  }) {
    const health = createHealth({
      store: { nextWakeAt: store } as Pick<Store, 'nextWakeAt'> as Store,
      chain: { head: async () => head } as Pick<Chain, 'head'> as Chain,
      ticks: {
        states: () => ({
          charges: { lastOk: new Date('2026-01-01T00:00:01Z'), failing: false },
          deliveries: { lastOk: null, failing: true },
        }),
      },
      version: '1.2.3',
      stopping: () => stopping,
      now: () => new Date(at),
    });
    const answer = await health();
    return { status: answer.status, body: JSON.parse(answer.body) as Record<string, unknown> };
  }

  test('tells the state of store, chain and worker', async () => {
    expect(await ask({})).toEqual({
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

  test('a job that last ended well more than a minute ago is late, not ok', async () => {
    const { status, body } = await ask({ at: '2026-01-01T00:01:01.001Z' });
    expect(status).toBe(200);
    expect(body['worker']).toMatchObject({
      charges: { state: 'late', last_ok_at: '2026-01-01T00:00:01.000Z' },
    });
  });

  test('a silent chain is told, and reading access goes on: 200', async () => {
    const { status, body } = await ask({ head: { ok: false, unavailable: { kind: 'transport' } } });
    expect([status, body['chain']]).toEqual([200, { state: 'silent', slot: null, time: null }]);
  });

  test('a store that cannot serve is 503', async () => {
    const { status, body } = await ask({ store: () => Promise.reject(new Error('disk')) });
    expect([status, body['status'], body['store']]).toEqual([503, 'unavailable', 'unavailable']);
  });

  test('a host that is stopping is 503, so that no new request is sent to it', async () => {
    const { status, body } = await ask({ stopping: true });
    expect([status, body['status']]).toEqual([503, 'stopping']);
  });
});
