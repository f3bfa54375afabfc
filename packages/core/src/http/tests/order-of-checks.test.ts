import { describe, expect, it } from 'vitest';

import { json, handlerFixture } from './fixtures.js';

const BAD_KEY = { key: `SUB_${'x'.repeat(43)}` };
const BAD_VERSION = { 'Service-Version': 'latest' };
const LONG_BODY = 'x'.repeat(100_001);
const LONG_LENGTH = { 'Content-Length': '100001' };

/** The requests of each test fail the check that the test names, and the later checks too. */
// requests#order-of-checks
describe('checks in this order', () => {
  it('1: route and method exist', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/nothing?a=1&a=2', { key: null, headers: BAD_VERSION })).body['code']).toBe(
      'not_found',
    );
    expect((await call('/v1/widgets', { method: 'PUT', key: null })).body['code']).toBe('not_found');
  });

  it('2: the key is present and well formed, then known', async () => {
    const { call } = handlerFixture();
    const otherFaults = {
      ...json(LONG_BODY),
      headers: { ...BAD_VERSION, ...LONG_LENGTH, 'Content-Type': 'text/plain' },
    };
    expect((await call('/v1/widgets?a=1', { ...otherFaults, key: null })).body['code']).toBe(
      'missing_api_key',
    );
    expect((await call('/v1/widgets?a=1', { ...otherFaults, ...BAD_KEY })).body['code']).toBe(
      'invalid_api_key',
    );
  });

  it('3: the rate limit of the key and the route', async () => {
    const { call } = handlerFixture();
    for (let count = 0; count < 60; count++) await call('/v1/widgets', json({ name: 'lamp' }));
    const over = await call('/v1/widgets?a=1', {
      ...json(LONG_BODY),
      headers: { ...BAD_VERSION, ...LONG_LENGTH },
    });
    expect(over.body['code']).toBe('rate_limited');
  });

  it('4: the version', async () => {
    const { call } = handlerFixture();
    const answer = await call('/v1/widgets?a=1', {
      ...json(LONG_BODY),
      headers: { ...BAD_VERSION, ...LONG_LENGTH },
    });
    expect(answer.body['code']).toBe('unsupported_version');
  });

  it('5: the size of the body', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/widgets?a=1', json(LONG_BODY))).body['code']).toBe('payload_too_large');
    const path = '/v1/widgets/not%20an%20id/retry';
    expect((await call(path, json(LONG_BODY))).body['code']).toBe('payload_too_large');
  });

  it('6: path, then query, then body', async () => {
    const { call } = handlerFixture();
    const invalidBody = json({ unknown: 1 });
    expect((await call('/v1/widgets/not%20an%20id/retry?a=1', invalidBody)).body['code']).toBe(
      'event_not_found',
    );
    expect((await call('/v1/widgets?a=1', invalidBody)).body['message']).toEqual([
      'The request must not contain "a".',
    ]);
    expect((await call('/v1/widgets', invalidBody)).body['message']).toEqual([
      '"name" is missing: it must be a name.',
      'The request must not contain "unknown".',
    ]);
  });

  it('7: the operation, which a refused request never reaches', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/fault', { key: null })).status).toBe(401);
    expect((await call('/v1/fault', { headers: BAD_VERSION })).status).toBe(400);
    expect((await call('/v1/fault?a=1')).status).toBe(400);
    expect((await call('/v1/fault')).status).toBe(500);
  });
});

// requests#version-header
describe('versions', () => {
  // requests#version-header
  it('serves 2026-10-02 without the header and when it is named', async () => {
    const { call } = handlerFixture();
    expect((await call('/v1/widgets')).status).toBe(200);
    expect((await call('/v1/widgets', { headers: { 'Service-Version': '2026-10-02' } })).status).toBe(200);
  });

  // requests#unserved-version
  it.each(['2026-10-03', 'latest', '', ' ', '2026-10-02, 2026-10-02'])(
    'refuses any other value, such as "%s", and lists the versions served',
    async (version) => {
      const answer = await handlerFixture().call('/v1/widgets', { headers: { 'Service-Version': version } });
      expect(answer.body).toMatchObject({ statusCode: 400, code: 'unsupported_version', retryable: false });
      expect(answer.body['message']).toContain('2026-10-02');
      expect(answer.headers.get('Service-Version')).toBe('2026-10-02');
    },
  );
});
