import { describe, expect, it } from 'vitest';

import {
  KEY,
  NOW,
  SAMPLE_OPERATIONS,
  callerOf,
  fetchHandler,
  handlerFixture,
  serviceFixture,
} from './fixtures.js';

const UNKNOWN_KEY = `SUB_${'x'.repeat(43)}`;

// requests#bearer-authentication
describe('authentication', () => {
  it.each([
    ['no header', {}],
    ['an empty header', { Authorization: '' }],
    ['another scheme', { Authorization: `Basic ${KEY}` }],
    ['the key without a scheme', { Authorization: KEY }],
    ['a key of another form', { Authorization: 'Bearer sk_live_123' }],
    ['a key that is too short', { Authorization: `Bearer ${KEY.slice(0, -1)}` }],
    ['a key that is too long', { Authorization: `Bearer ${KEY}k` }],
    ['two keys', { Authorization: `Bearer ${KEY} ${KEY}` }],
    ['a key in another header', { 'X-Api-Key': KEY }],
  ])('answers missing_api_key to %s', async (_, headers) => {
    const answer = await handlerFixture().call('/v1/widgets', { key: null, headers });
    expect(answer.body).toMatchObject({ statusCode: 401, error: 'Unauthorized', code: 'missing_api_key' });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  // requests#bearer-authentication
  it('answers invalid_api_key to a well-formed key that is unknown', async () => {
    const answer = await handlerFixture().call('/v1/widgets', { key: UNKNOWN_KEY });
    expect(answer.body).toMatchObject({ statusCode: 401, code: 'invalid_api_key', retryable: false });
  });

  // requests#api-key-rotation
  it('accepts a key that was replaced until its overlap is over', async () => {
    const { call, clock } = handlerFixture({}, { expiresAt: new Date(NOW.getTime() + 1_000) });
    clock.advance(999);
    expect((await call('/v1/widgets')).status).toBe(200);
    clock.advance(1);
    expect((await call('/v1/widgets')).body['code']).toBe('invalid_api_key');
  });

  // requests#bearer-authentication
  it('accepts the scheme in any case', async () => {
    const headers = { Authorization: `bearer ${KEY}` };
    expect((await handlerFixture().call('/v1/widgets', { key: null, headers })).status).toBe(200);
  });

  // requests#order-of-checks
  it('answers 401 to a missing or unknown key whatever version is requested', async () => {
    const { call } = handlerFixture();
    const headers = { 'Service-Version': 'latest' };
    expect((await call('/v1/widgets', { key: null, headers })).status).toBe(401);
    expect((await call('/v1/widgets', { key: UNKNOWN_KEY, headers })).status).toBe(401);
  });

  // requests#bearer-authentication
  it('ignores a key in the query string', async () => {
    const { call } = handlerFixture();
    expect((await call(`/v1/widgets?key=${KEY}`, { key: null })).body['code']).toBe('missing_api_key');
  });

  // requests#api-key-stored-as-hash
  it('looks a key up by its SHA-256 and never gives the store the key', async () => {
    const hashes: string[] = [];
    const { billing } = serviceFixture({
      store: {
        findApiKey: async (hash) => {
          hashes.push(hash);
          return null;
        },
      },
    });
    const call = callerOf(fetchHandler(billing.service, SAMPLE_OPERATIONS));
    await call('/v1/widgets', { key: 'SUB_' + '0'.repeat(43) });
    expect(hashes).toEqual(['7bc9c41b56e17b34f1fabba691f2d96c110873c9ffe313641ecf0716945216f6']);
  });

  // requests#api-key-format
  it('does not look up a malformed key', async () => {
    const { call } = handlerFixture(
      {},
      { store: { findApiKey: () => Promise.reject(new Error('was looked up')) } },
    );
    expect((await call('/v1/widgets', { key: 'SUB_short' })).status).toBe(401);
  });

  // requests#api-key-last-use
  it('stores the last use of a key at most once a minute', async () => {
    const { call, clock, storedUses } = handlerFixture();
    await call('/v1/widgets');
    await call('/v1/widgets');
    clock.advance(59_999);
    await call('/v1/widgets');
    expect(storedUses).toEqual([NOW]);
    clock.advance(1);
    await call('/v1/widgets');
    expect(storedUses).toEqual([NOW, new Date(NOW.getTime() + 60_000)]);
  });

  // requests#api-key-last-use
  it('does not store a use that another process stored within the minute', async () => {
    const { call, clock, storedUses } = handlerFixture({}, { lastUsedAt: new Date(NOW.getTime() - 30_000) });
    await call('/v1/widgets');
    clock.advance(29_999);
    await call('/v1/widgets');
    expect(storedUses).toEqual([]);
    clock.advance(1);
    await call('/v1/widgets');
    expect(storedUses).toHaveLength(1);
  });

  // requests#api-key-last-use
  it('stores the last use once for a hundred concurrent first calls', async () => {
    const { call, storedUses } = handlerFixture();
    await Promise.all(Array.from({ length: 100 }, () => call('/v1/widgets')));
    expect(storedUses).toHaveLength(1);
  });

  // requests#api-key-last-use
  it('answers without waiting for the last use to be stored, and when storing it fails', async () => {
    const stuck = handlerFixture({}, { store: { touchApiKey: () => new Promise(() => undefined) } });
    expect((await stuck.call('/v1/widgets')).status).toBe(200);
    const error = new Error('disk full');
    const failing = handlerFixture({}, { store: { touchApiKey: () => Promise.reject(error) } });
    expect((await failing.call('/v1/widgets')).status).toBe(200);
    expect(failing.loggedFacts).toEqual([{ key: expect.any(String) as string, err: error }]);
  });

  // requests#api-key-last-use
  it('stores no use for an unknown key', async () => {
    const { call, storedUses } = handlerFixture();
    await call('/v1/widgets', { key: UNKNOWN_KEY });
    await call('/v1/widgets', { key: null });
    expect(storedUses).toEqual([]);
  });
});
