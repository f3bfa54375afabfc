// Heavy: every code of every route is reached over HTTP.

import { describe, expect, it } from 'vitest';
import type { Api } from './client.js';
import { EVERY_ROUTE, requestOf } from './routes.js';
import { statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

const project = () => suite.control.createProject({ name: 'Night Library', tier: 'business' });

async function apiOfProject(): Promise<Api> {
  return suite.as((await project()).key);
}

describe('codes of every route', () => {
  // requests#bearer-authentication
  it.each(EVERY_ROUTE)('%s: 401 missing_api_key without a key or with a malformed one', async (_, route) => {
    expect(statusAndCode(await suite.as(null).send(requestOf(route)))).toBe('401 missing_api_key');
    const answer = await suite.as(null).send(requestOf(route, { authorization: 'Bearer secret' }));
    expect(statusAndCode(answer)).toBe('401 missing_api_key');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await suite.control.pass(60_000);
  });

  it.each(EVERY_ROUTE)('%s: 401 invalid_api_key for an unknown key', async (_, route) => {
    const answer = await suite.as(`SUB_${'0'.repeat(43)}`).send(requestOf(route));
    expect(statusAndCode(answer)).toBe('401 invalid_api_key');
    await suite.control.pass(60_000);
  });

  it.each(EVERY_ROUTE)('%s: 400 invalid_request for an unknown query parameter', async (_, route) => {
    const api = await apiOfProject();
    const path = `${route.path}${route.path.includes('?') ? '&' : '?'}nope=1`;
    const answer = await api.send({ ...requestOf(route), path });
    expect(statusAndCode(answer)).toBe('400 invalid_request');
    expect(answer.body['message']).toEqual(['The request must not contain "nope".']);
  });

  it.each(EVERY_ROUTE)(
    '%s: 400 unsupported_version, and the message lists the served versions',
    async (_, route) => {
      const answer = await (await apiOfProject()).send(requestOf(route, { 'service-version': 'latest' }));
      expect(statusAndCode(answer)).toBe('400 unsupported_version');
      expect(answer.body['message']).toContain('2026-10-02');
    },
  );

  it.each(EVERY_ROUTE)('%s: 413 payload_too_large by the stated Content-Length', async (_, route) => {
    const answer = await (
      await apiOfProject()
    ).send({
      method: route.method,
      path: route.path,
      headers: { 'content-type': 'application/json', 'content-length': '100001', expect: '100-continue' },
    });
    expect(statusAndCode(answer)).toBe('413 payload_too_large');
  });

  it.each(EVERY_ROUTE)(
    '%s: 500 internal_error for an unexpected failure, which is only identified by its request id',
    async (_, route) => {
      const api = await apiOfProject();
      const answer = await suite.during('store_broken', () => api.send(requestOf(route)));
      expect(statusAndCode(answer)).toBe('500 internal_error');
      expect(JSON.stringify(answer.body)).not.toContain('database');
    },
  );

  it.each(EVERY_ROUTE)('%s: 503 unavailable while the store cannot serve', async (_, route) => {
    const api = await apiOfProject();
    const answer = await suite.during('store_unavailable', () => api.send(requestOf(route)));
    expect(statusAndCode(answer)).toBe('503 unavailable');
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it.each(EVERY_ROUTE.filter(([name]) => name.includes('/{')))(
    '%s: 404 for a resource that does not exist',
    async (name, route) => {
      const code = name.includes('{slug}')
        ? 'plan_not_found'
        : name.includes('/events/')
          ? 'event_not_found'
          : 'subscription_not_found';
      const answer = await (await apiOfProject()).send(requestOf(route));
      expect(statusAndCode(answer)).toBe(`404 ${code}`);
      expect(answer.body['message']).not.toMatch(/^Cannot/);
    },
  );
});

// requests#order-of-checks
describe('order of checks', () => {
  const [[, create] = []] = EVERY_ROUTE.filter(([name]) => name === 'POST /v1/subscriptions');
  if (create === undefined) throw new Error('The document has no route POST /v1/subscriptions.');
  const long = { 'content-length': '100001' };

  it('checks the key before the version', async () => {
    expect(statusAndCode(await suite.as(null).send(requestOf(create, { 'service-version': 'latest' })))).toBe(
      '401 missing_api_key',
    );
  });

  it('checks the rate limit before the version', async () => {
    const api = await apiOfProject();
    for (let call = 0; call < suite.mostCalls(60); call++)
      await api.send(requestOf(create, { 'service-version': 'latest' }));
    expect(statusAndCode(await api.send(requestOf(create, { 'service-version': 'latest' })))).toBe(
      '429 rate_limited',
    );
  });

  it('checks the version before the size of the body', async () => {
    const answer = await (
      await apiOfProject()
    ).send({ ...requestOf(create, { 'service-version': 'latest', ...long }), body: '' });
    expect(statusAndCode(answer)).toBe('400 unsupported_version');
  });

  it('checks the size of the body before the query', async () => {
    const answer = await (
      await apiOfProject()
    ).send({ ...requestOf(create, long), path: `${create.path}?nope=1`, body: '' });
    expect(statusAndCode(answer)).toBe('413 payload_too_large');
  });

  it('checks the request before it looks for the plan', async () => {
    const answer = await (await apiOfProject()).post('/subscriptions', { plan: 'nothing', wallet: 'nobody' });
    expect(statusAndCode(answer)).toBe('400 invalid_request');
  });

  it('answers 404 to an unknown path with a valid key, and counts the call', async () => {
    const answer = await (await apiOfProject()).get('/nothing');
    expect(statusAndCode(answer)).toBe('404 not_found');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  it('counts an unknown path without a valid key against the address', async () => {
    await suite.control.pass(60_000);
    const answer = await suite.as(null).get('/nothing');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('120');
  });
});
