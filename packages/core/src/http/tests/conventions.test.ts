import { describe, expect, it } from 'vitest';

import { ErrorBody } from '../../contract/error-body.js';
import { KEY, json, handlerFixture } from './fixtures.js';

const ID = /^req_[0-9A-Za-z]{24}$/;

/** One request for each kind of answer of a handler, with its status. */
const EVERY_KIND_OF_ANSWER = [
  ['a successful GET', '/v1/widgets', {}, 200],
  ['a created resource', '/v1/widgets', json({ name: 'lamp' }), 201],
  ['an accepted retry', '/v1/widgets/a/retry', { method: 'POST' }, 202],
  ['a refused query', '/v1/widgets?size=1', {}, 400],
  ['an unserved version', '/v1/widgets', { headers: { 'Service-Version': 'latest' } }, 400],
  ['no key', '/v1/widgets', { key: null }, 401],
  ['a wrong key', '/v1/widgets', { key: KEY.replace(/k$/, 'x') }, 401],
  ['an unknown path', '/v1/nothing', {}, 404],
  ['an unknown path without a key', '/v1/nothing', { key: null }, 404],
  ['a missing resource', '/v1/widgets/not%20an%20id', {}, 404],
  ['an oversized body', '/v1/widgets', json('x'.repeat(100_001)), 413],
  ['a fault', '/v1/fault', {}, 500],
  ['an outage', '/v1/outage', {}, 503],
] as const;

describe('conventions that hold on every route', () => {
  // requests#request-id
  it.each(EVERY_KIND_OF_ANSWER)(
    '%s carries a Service-Request-Id that the service generates for each call',
    async (_, path, options, status) => {
      const { call } = handlerFixture();
      const sent = {
        ...options,
        headers: { ...('headers' in options ? options.headers : {}), 'Service-Request-Id': 'req_mine' },
      };
      const [first, second] = [await call(path, sent), await call(path, sent)];
      expect(first.status).toBe(status);
      expect(first.headers.get('Service-Request-Id')).toMatch(ID);
      expect(second.headers.get('Service-Request-Id')).toMatch(ID);
      expect(second.headers.get('Service-Request-Id')).not.toBe(first.headers.get('Service-Request-Id'));
    },
  );

  // requests#version-of-an-answer
  it.each(EVERY_KIND_OF_ANSWER)('%s under /v1 carries Service-Version', async (_, path, options) => {
    const answer = await handlerFixture().call(path, options);
    expect(answer.headers.get('Service-Version')).toBe('2026-10-02');
  });

  // errors#error-body
  it.each(EVERY_KIND_OF_ANSWER.filter(([, , , status]) => status >= 400))(
    'the error body for %s has exactly its six fields',
    async (_, path, options, status) => {
      const answer = await handlerFixture().call(path, options);
      const body = ErrorBody.parse(answer.body);
      expect(body.statusCode).toBe(status);
      expect(body.request_id).toBe(answer.headers.get('Service-Request-Id'));
      expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    },
  );

  // requests#version-of-an-answer
  it('leaves Service-Version out of an answer outside of /v1', async () => {
    for (const path of ['/', '/v2/widgets', '/v1x', '/openapi.json']) {
      const answer = await handlerFixture().call(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('Service-Version')).toBeNull();
      expect(answer.headers.get('Service-Request-Id')).toMatch(ID);
    }
  });

  // requests#unknown-fields-refused
  it('refuses an unknown query parameter by its name', async () => {
    const { status, body } = await handlerFixture().call('/v1/widgets?colour=red&size=1');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      error: 'Bad Request',
      retryable: false,
      message: ['The request must not contain "size".'],
    });
  });

  // requests#unknown-fields-refused
  it('refuses an unknown body field by its name', async () => {
    const { status, body } = await handlerFixture().call(
      '/v1/widgets',
      json({ name: 'lamp', colour: 'red' }),
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid_request',
      message: ['The request must not contain "colour".'],
    });
  });

  // errors#message-list-for-validation
  it('lists one sentence for each invalid field of a body', async () => {
    const { body } = await handlerFixture().call('/v1/widgets', json({ name: 1, size: 'big' }));
    expect(body['message']).toEqual(['"name" must be a name.', '"size" must be a number.']);
  });

  // errors#message-list-for-validation
  it('has a single sentence for every error but a failed validation', async () => {
    for (const [path, options] of [
      ['/v1/nothing', {}],
      ['/v1/widgets', { key: null }],
      ['/v1/widgets', { headers: { 'Service-Version': '1' } }],
      ['/v1/fault', {}],
      ['/v1/outage', {}],
    ] as const) {
      expect((await handlerFixture().call(path, options)).body['message']).toBeTypeOf('string');
    }
  });

  // requests#unknown-routes-under-the-version-path
  // errors#unknown-route-message
  it('answers not_found to an unknown path or method, and names both', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/nothing?x=1')).body).toMatchObject({
      statusCode: 404,
      error: 'Not Found',
      code: 'not_found',
      message: 'Cannot GET /v1/nothing',
      retryable: false,
    });
    expect((await call('/v1/widgets', { method: 'DELETE' })).body).toMatchObject({
      code: 'not_found',
      message: 'Cannot DELETE /v1/widgets',
    });
    expect((await call('/v1', { method: 'GET' })).body).toMatchObject({ message: 'Cannot GET /v1' });
  });

  // errors#unknown-route-message
  // errors#missing-resource-codes
  it('words a missing resource differently from an unknown route', async () => {
    const { body } = await handlerFixture().call('/v1/widgets/not%20an%20id');
    expect(body['code']).toBe('event_not_found');
    expect(body['message']).not.toMatch(/^Cannot /);
  });

  // requests#head-requests
  it('answers HEAD as GET without the body', async () => {
    const { call } = handlerFixture();
    const get = await call('/v1/widgets');
    const head = await call('/v1/widgets', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'));
    expect(head.headers.get('X-RateLimit-Remaining')).toBe('998');
    const refused = await call('/v1/widgets?size=1', { method: 'HEAD' });
    expect([refused.status, refused.text]).toEqual([400, '']);
    expect((await call('/v1/widgets/a/retry', { method: 'HEAD' })).status).toBe(404);
  });

  // requests#exact-path-match
  it('treats a trailing slash, a double slash and another case as other paths', async () => {
    const { call } = handlerFixture();
    for (const path of [
      '/v1/widgets/',
      '/v1//widgets',
      '/v1/Widgets',
      '/v1/widgets/a/retry/',
      '/v1/widgets//retry',
    ]) {
      expect((await call(path, { method: 'GET' })).body['code'], path).toBe('not_found');
    }
  });

  // errors#missing-resource-codes
  it('percent-decodes a path parameter, and finds nothing for one that does not decode', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/widgets/%61bc')).body).toEqual({ id: 'abc' });
    expect((await call('/v1/widgets/a%2Fb')).body['code']).toBe('event_not_found');
    expect((await call('/v1/widgets/%00')).body['code']).toBe('event_not_found');
    expect((await call('/v1/widgets/%E0%A4%A')).body['code']).toBe('not_found');
    expect((await call(`/v1/widgets/${'a'.repeat(65)}`)).body['code']).toBe('event_not_found');
  });

  // requests#duplicate-and-empty-query-parameters
  it('refuses a query parameter given twice, and validates an empty one', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/widgets?colour=red&colour=red')).body).toMatchObject({
      code: 'invalid_request',
      message: ['The query must not give "colour" more than once.'],
    });
    expect((await call('/v1/widgets?colour=')).body).toMatchObject({
      code: 'invalid_request',
      message: ['"colour" must be a colour.'],
    });
  });

  // requests#duplicate-and-empty-query-parameters
  it.each(['%zz', '%', 'a%2', '%ff', '%C3', '%C3%28', '%ED%A0%80', '%C0%AF'])(
    'refuses a query that is not percent-encoded UTF-8: %s',
    async (text) => {
      const { call } = handlerFixture();
      for (const query of [`colour=${text}`, `colour=red&${text}=1`]) {
        expect((await call(`/v1/widgets?${query}`)).body).toMatchObject({
          statusCode: 400,
          code: 'invalid_request',
          message: ['The query must be percent-encoded UTF-8.'],
        });
      }
    },
  );

  // requests#duplicate-and-empty-query-parameters
  it.each([
    ['dark+red', 'dark red'],
    ['dark%20red', 'dark red'],
    ['dark%2Bred', 'dark+red'],
    ['gr%C3%BCn%2B%f0%9f%92%b8', 'grün+💸'],
    ['a%26b%3Dc%25zz', 'a&b=c%zz'],
  ])('percent-decodes a query: %s', async (text, colour) => {
    expect((await handlerFixture().call(`/v1/widgets?colour=${text}`)).body).toEqual({ colour });
  });

  // requests#unknown-headers-ignored
  it('ignores unknown headers', async () => {
    const headers = { 'Mesub-Version': 'latest', 'X-Unknown': 'any value', Accept: 'text/html' };
    expect((await handlerFixture().call('/v1/widgets', { headers })).status).toBe(200);
  });

  // requests#success-status
  it('answers 200 to GET, 201 to POST and 202 to the retry route', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/widgets')).status).toBe(200);
    expect((await call('/v1/widgets', json({ name: 'lamp' }))).status).toBe(201);
    expect((await call('/v1/widgets/a/retry', { method: 'POST' })).status).toBe(202);
  });

  it('forbids caches to store answers', async () => {
    expect((await handlerFixture().call('/v1/widgets')).headers.get('Cache-Control')).toBe('no-store');
  });

  it('serves only the paths below its base path', async () => {
    const { call } = handlerFixture({ basePath: '/billing/api' });
    expect((await call('/billing/api/v1/widgets')).status).toBe(200);
    expect((await call('/billing/api/v1/widgets')).headers.get('Service-Version')).toBe('2026-10-02');
    for (const path of ['/v1/widgets', '/billing/v1/widgets', '/billing/apiv1/widgets']) {
      const answer = await call(path);
      expect([answer.status, answer.body['message']]).toEqual([404, `Cannot GET ${path}`]);
      expect(answer.headers.get('Service-Version')).toBeNull();
    }
  });

  it.each(['billing', '/billing/', '/', '//x', '/a?b', '/a/../b', '/.', '/a b', '/ü', '/\t'])(
    'refuses to mount at the base path %s',
    (basePath) => {
      expect(() => handlerFixture({ basePath })).toThrow(TypeError);
    },
  );
});
