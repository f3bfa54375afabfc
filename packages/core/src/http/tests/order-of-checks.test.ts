import { describe, expect, it } from 'vitest';

import { json, things } from './world.js';

const BAD_KEY = { key: `SUB_${'x'.repeat(43)}` };
const BAD_VERSION = { 'Service-Version': 'latest' };
const LONG = 'x'.repeat(100_001);
const STATED = { 'Content-Length': '100001' };

/** Each request fails the check of its line and every later check. */
// requests#order-of-checks
describe('checks in this order', () => {
  it('1: route and method exist', async () => {
    const { ask } = things();
    expect((await ask('/v1/nothing?a=1&a=2', { key: null, headers: BAD_VERSION })).body['code']).toBe(
      'not_found',
    );
    expect((await ask('/v1/things', { method: 'PUT', key: null })).body['code']).toBe('not_found');
  });

  it('2: the key is present and well formed, then known', async () => {
    const { ask } = things();
    const rest = { ...json(LONG), headers: { ...BAD_VERSION, ...STATED, 'Content-Type': 'text/plain' } };
    expect((await ask('/v1/things?a=1', { ...rest, key: null })).body['code']).toBe('missing_api_key');
    expect((await ask('/v1/things?a=1', { ...rest, ...BAD_KEY })).body['code']).toBe('invalid_api_key');
  });

  it('3: the rate limit of the key and the route', async () => {
    const { ask } = things();
    for (let call = 0; call < 60; call++) await ask('/v1/things', json({ name: 'lamp' }));
    const over = await ask('/v1/things?a=1', { ...json(LONG), headers: { ...BAD_VERSION, ...STATED } });
    expect(over.body['code']).toBe('rate_limited');
  });

  it('4: the version', async () => {
    const { ask } = things();
    const answer = await ask('/v1/things?a=1', { ...json(LONG), headers: { ...BAD_VERSION, ...STATED } });
    expect(answer.body['code']).toBe('unsupported_version');
  });

  it('5: the size of the body', async () => {
    const { ask } = things();
    expect((await ask('/v1/things?a=1', json(LONG))).body['code']).toBe('payload_too_large');
    const path = '/v1/things/not%20an%20id/retry';
    expect((await ask(path, json(LONG))).body['code']).toBe('payload_too_large');
  });

  it('6: path, then query, then body', async () => {
    const { ask } = things();
    const bad = json({ nome: 1 });
    expect((await ask('/v1/things/not%20an%20id/retry?a=1', bad)).body['code']).toBe('event_not_found');
    expect((await ask('/v1/things?a=1', bad)).body['message']).toEqual(['The request must not contain "a".']);
    expect((await ask('/v1/things', bad)).body['message']).toEqual([
      '"name" is missing: it must be a name.',
      'The request must not contain "nome".',
    ]);
  });

  it('7: the operation, which a refused request never reaches', async () => {
    const { ask } = things();
    expect((await ask('/v1/fault', { key: null })).status).toBe(401);
    expect((await ask('/v1/fault', { headers: BAD_VERSION })).status).toBe(400);
    expect((await ask('/v1/fault?a=1')).status).toBe(400);
    expect((await ask('/v1/fault')).status).toBe(500);
  });
});

// requests#version-header
describe('versions', () => {
  // requests#version-header
  it('serves 2026-10-02 without the header and when it is named', async () => {
    const { ask } = things();
    expect((await ask('/v1/things')).status).toBe(200);
    expect((await ask('/v1/things', { headers: { 'Service-Version': '2026-10-02' } })).status).toBe(200);
  });

  // requests#unserved-version
  it.each(['2026-10-03', 'latest', '', ' ', '2026-10-02, 2026-10-02'])(
    'refuses any other value, such as "%s", and lists the versions served',
    async (version) => {
      const answer = await things().ask('/v1/things', { headers: { 'Service-Version': version } });
      expect(answer.body).toMatchObject({ statusCode: 400, code: 'unsupported_version', retryable: false });
      expect(answer.body['message']).toContain('2026-10-02');
      expect(answer.headers.get('Service-Version')).toBe('2026-10-02');
    },
  );
});
