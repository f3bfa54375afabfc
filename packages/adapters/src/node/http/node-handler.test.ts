import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSigner } from '@solana/kit';
import { createLocalnet, localnetTransport } from '@subrail/localnet';
import express from 'express';
import fastify from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBilling, toNodeHandler, type OpenedBilling } from '../index.js';

let billing: OpenedBilling;
let key: string;
let logged: string[];
beforeAll(async () => {
  const log = (_: object, message: string) => void logged.push(message);
  billing = await openBilling({
    database: ':memory:',
    rpc: localnetTransport(createLocalnet()),
    charger: await generateKeyPairSigner(),
    sealingKey: new Uint8Array(32),
    logger: { debug() {}, info() {}, warn: log, error: log },
  });
  const { id } = await billing.projects.create({ name: 'My shop' });
  key = (await billing.project(id).keys.create()).key;
});
afterAll(() => billing.close());

let stops: (() => unknown)[];
beforeEach(() => {
  logged = [];
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

/** Listens on a free port, and returns the address. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A request whose headers are given by name. */
type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

const call = async (url: string, { headers = {}, ...init }: Sent = {}) => {
  const response = await fetch(url, { ...init, headers: { authorization: `Bearer ${key}`, ...headers } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
};

function parsed(text: string): Record<string, unknown> {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

const post = (body: string, type = 'application/json'): Sent => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});

/** Every framework that the handler is mounted in, below `/billing`. */
const MOUNTS: Readonly<Record<string, () => Promise<string>>> = {
  'node:http': () => listen(toNodeHandler(billing, { basePath: '/billing' })),
  'Express 5': () => listen(express().use('/billing', toNodeHandler(billing))),
  'Express 5 behind express.json()': () =>
    listen(express().use(express.json()).use('/billing', toNodeHandler(billing))),
  'Express 5 behind express.text()': () =>
    listen(
      express()
        .use(express.text({ type: () => true }))
        .use('/billing', toNodeHandler(billing)),
    ),
  'Express 5 behind express.raw()': () =>
    listen(
      express()
        .use(express.raw({ type: () => true }))
        .use('/billing', toNodeHandler(billing)),
    ),
  'Fastify 5 without parsers': async () => {
    const app = fastify();
    stops.push(() => app.close());
    const handler = toNodeHandler(billing, { basePath: '/billing' });
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      scope.all('/billing/*', (request, reply) => {
        reply.hijack();
        handler(request.raw, reply.raw);
      });
    });
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  'Fastify 5 behind its parsers': async () => {
    const app = fastify();
    stops.push(() => app.close());
    const handler = toNodeHandler(billing, { basePath: '/billing' });
    app.all('/billing/*', (request, reply) => {
      reply.hijack();
      handler(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
};

describe.each(Object.entries(MOUNTS))('mounted in %s', (_, mount) => {
  let url: string;
  beforeEach(async () => {
    url = `${await mount()}/billing`;
  });

  it('serves the contract, /health and /openapi.json', async () => {
    expect(await call(`${url}/v1/project`)).toMatchObject({ status: 200, body: { name: 'My shop' } });
    expect((await call(`${url}/v1/plans?colour=red`)).body).toMatchObject({ code: 'invalid_request' });
    expect((await call(`${url}/health`)).body).toMatchObject({ status: 'ok' });
    expect((await call(`${url}/openapi.json`)).body).toMatchObject({ openapi: '3.1.0' });
    expect(await call(`${url}/v1/project`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect((await call(`${url}/v1/nothing`)).body).toMatchObject({ code: 'not_found' });
  });

  it('reads bodies', async () => {
    const body = JSON.stringify({ plan: 'pro', wallet: 'no wallet', external_id: 'Zoë ☕' });
    const refused = await call(`${url}/v1/subscriptions`, post(body));
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(refused.text).toContain('wallet');
    expect(refused.text).not.toContain('external_id');
    expect(logged).toEqual([]);
  });

  it('accepts a POST without a body', async () => {
    const answer = await call(`${url}/v1/subscriptions/sub_0/retry`, { method: 'POST' });
    expect(answer.body).toMatchObject({ code: 'subscription_not_found' });
  });
});

describe('the handler', () => {
  it('refuses a body that is too long behind a parser too', async () => {
    const url = await listen(express().use(express.json({ limit: '1mb' }), toNodeHandler(billing)));
    const body = JSON.stringify({ plan: 'x'.repeat(100_001) });
    expect((await call(`${url}/v1/subscriptions`, post(body))).status).toBe(413);
  });

  it('reads a body that the parser left alone', async () => {
    const url = await listen(express().use(express.json(), toNodeHandler(billing)));
    const answer = await call(`${url}/v1/subscriptions`, post('plan=pro', 'text/plain'));
    expect(answer.text).toContain('The content type must be application/json.');
  });

  it('answers 500 and logs what to do when something else took the body', async () => {
    const handler = toNodeHandler(billing);
    const url = await listen((request, response) => {
      request.resume().once('end', () => {
        handler(request, response);
      });
    });
    const answer = await call(`${url}/v1/subscriptions`, post('{}'));
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(logged).toEqual([expect.stringContaining('was read before toNodeHandler')]);
  });

  it('leaves requests outside of its base path to the framework', async () => {
    const app = express()
      .use(toNodeHandler(billing, { basePath: '/billing' }))
      .use((_request, response) => void response.send('the shop'));
    const url = await listen(app);
    expect((await call(`${url}/cart`)).text).toBe('the shop');
    expect((await call(`${url}/billings/v1/project`)).text).toBe('the shop');
    expect((await call(`${url}/billing/v1/project`)).status).toBe(200);
    expect((await call(`${url}/billing`)).status).toBe(404);
  });

  it('passes the error on when the request was answered already', async () => {
    const errors: unknown[] = [];
    const handler = toNodeHandler(billing);
    const url = await listen((request, response) => {
      response.write('begun');
      handler(request, response, (error) => {
        errors.push(error);
        response.end();
      });
    });
    expect((await call(`${url}/v1/project`)).text).toBe('begun');
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' })]);
    expect(logged).toEqual(['An answer could not be sent.']);
  });

  it('serves the requests of test tools that open no socket', async () => {
    const app = fastify();
    const handler = toNodeHandler(billing);
    app.all('/*', (request, reply) => {
      reply.hijack();
      handler(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    const headers = { authorization: `Bearer ${key}` };
    expect((await app.inject({ url: '/v1/project', headers })).json()).toMatchObject({ name: 'My shop' });
    const payload = { plan: 'pro' };
    const answer = await app.inject({ method: 'POST', url: '/v1/subscriptions', headers, payload });
    expect(answer.json()).toMatchObject({ code: 'invalid_request' });
    await app.close();
  });

  // requests#client-address-behind-proxies
  it('limits callers without a key by the address that the options name', async () => {
    const remaining = async (url: string, headers: Record<string, string>) => {
      const response = await fetch(`${url}/v1/project`, { headers });
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const proxied = await listen(toNodeHandler(billing, { trustedProxies: 1 }));
    const first = await remaining(proxied, { 'x-forwarded-for': '6.6.6.6, 198.51.100.1' });
    expect(await remaining(proxied, { 'x-forwarded-for': '7.7.7.7, 198.51.100.1' })).toBe(first - 1);
    expect(await remaining(proxied, { 'x-forwarded-for': '198.51.100.2' })).toBe(first);

    const app = express().set('trust proxy', 1);
    app.use(toNodeHandler(billing, { clientAddress: (request: express.Request) => request.ip ?? null }));
    const url = await listen(app);
    expect(await remaining(url, { 'x-forwarded-for': '198.51.100.1' })).toBe(first);
    expect(await remaining(url, { 'x-forwarded-for': '198.51.100.1' })).toBe(first - 1);
    expect(await remaining(url, { 'x-forwarded-for': '198.51.100.2' })).toBe(first);
  });

  it('refuses options of no use when it is made', () => {
    expect(() => toNodeHandler(billing, { trustedProxies: -1 })).toThrow('"trustedProxies"');
    expect(() => toNodeHandler(billing, { basePath: 'billing' })).toThrow('basePath');
  });
});
