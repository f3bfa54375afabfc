import { describe, expect, it } from 'vitest';

import { json, handlerFixture } from './fixtures.js';

const ID = /^req_[0-9A-Za-z]{24}$/;

describe('conventions that hold on every route', () => {
  // requests#version-of-an-answer
  it('leaves Service-Version out of an answer outside of /v1', async () => {
    for (const path of ['/', '/v2/widgets', '/v1x', '/openapi.json']) {
      const answer = await handlerFixture().call(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('Service-Version')).toBeNull();
      expect(answer.headers.get('Service-Request-Id')).toMatch(ID);
    }
  });

  // errors#message-list-for-validation
  it('lists one sentence for each invalid field of a body', async () => {
    const { body } = await handlerFixture().call('/v1/widgets', json({ name: 1, size: 'big' }));
    expect(body['message']).toEqual(['"name" must be a name.', '"size" must be a number.']);
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
