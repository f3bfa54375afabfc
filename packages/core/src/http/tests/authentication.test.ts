import { describe, expect, it } from 'vitest';

import { mountFetch } from '../handler.js';
import { KEY, NOW, THINGS, asking, things, world } from './world.js';

const WRONG = `SUB_${'x'.repeat(43)}`;

// requests#bearer-authentication
describe('authentication', () => {
  it.each([
    ['no header', {}],
    ['an empty one', { Authorization: '' }],
    ['another scheme', { Authorization: `Basic ${KEY}` }],
    ['the key alone', { Authorization: KEY }],
    ['a key of another form', { Authorization: 'Bearer sk_live_123' }],
    ['a key too short', { Authorization: `Bearer ${KEY.slice(0, -1)}` }],
    ['a key too long', { Authorization: `Bearer ${KEY}k` }],
    ['two keys', { Authorization: `Bearer ${KEY} ${KEY}` }],
    ['a key in another header', { 'X-Api-Key': KEY }],
  ])('requests#bearer-authentication: %s is missing_api_key', async (_, headers) => {
    const answer = await things().ask('/v1/things', { key: null, headers });
    expect(answer.body).toMatchObject({ statusCode: 401, error: 'Unauthorized', code: 'missing_api_key' });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  // requests#bearer-authentication
  it('answers invalid_api_key to a well-formed key that is unknown', async () => {
    const answer = await things().ask('/v1/things', { key: WRONG });
    expect(answer.body).toMatchObject({ statusCode: 401, code: 'invalid_api_key', retryable: false });
  });

  // requests#bearer-authentication
  it('accepts the scheme in any case', async () => {
    const headers = { Authorization: `bearer ${KEY}` };
    expect((await things().ask('/v1/things', { key: null, headers })).status).toBe(200);
  });

  // requests#order-of-checks
  it('answers 401 to a missing or wrong key whatever version is requested', async () => {
    const { ask } = things();
    const headers = { 'Service-Version': 'latest' };
    expect((await ask('/v1/things', { key: null, headers })).status).toBe(401);
    expect((await ask('/v1/things', { key: WRONG, headers })).status).toBe(401);
  });

  // requests#bearer-authentication
  it('ignores a key in the query string', async () => {
    const { ask } = things();
    expect((await ask(`/v1/things?key=${KEY}`, { key: null })).body['code']).toBe('missing_api_key');
  });

  // requests#api-key-stored-as-hash
  it('looks a key up by its SHA-256 and never gives the store the key', async () => {
    const asked: string[] = [];
    const { billing } = world({
      store: {
        findApiKey: async (hash) => {
          asked.push(hash);
          return null;
        },
      },
    });
    const ask = asking(mountFetch(billing.service, THINGS));
    await ask('/v1/things', { key: 'SUB_' + '0'.repeat(43) });
    expect(asked).toEqual(['7bc9c41b56e17b34f1fabba691f2d96c110873c9ffe313641ecf0716945216f6']);
  });

  // requests#api-key-format
  it('does not look up a text that is not formed as a key', async () => {
    const { ask } = things({}, { store: { findApiKey: () => Promise.reject(new Error('was looked up')) } });
    expect((await ask('/v1/things', { key: 'SUB_short' })).status).toBe(401);
  });

  // requests#api-key-last-use
  it('stores the last use of a key at most once a minute', async () => {
    const { ask, clock, touches } = things();
    await ask('/v1/things');
    await ask('/v1/things');
    clock.advance(59_999);
    await ask('/v1/things');
    expect(touches).toEqual([NOW]);
    clock.advance(1);
    await ask('/v1/things');
    expect(touches).toEqual([NOW, new Date(NOW.getTime() + 60_000)]);
  });

  // requests#api-key-last-use
  it('does not store a use that another process stored within the minute', async () => {
    const { ask, clock, touches } = things({}, { lastUsedAt: new Date(NOW.getTime() - 30_000) });
    await ask('/v1/things');
    clock.advance(29_999);
    await ask('/v1/things');
    expect(touches).toEqual([]);
    clock.advance(1);
    await ask('/v1/things');
    expect(touches).toHaveLength(1);
  });

  // requests#api-key-last-use
  it('stores the last use once for a hundred concurrent first calls', async () => {
    const { ask, touches } = things();
    await Promise.all(Array.from({ length: 100 }, () => ask('/v1/things')));
    expect(touches).toHaveLength(1);
  });

  // requests#api-key-last-use
  it('answers without waiting for the last use to be stored, and when storing it fails', async () => {
    const stuck = things({}, { store: { touchApiKey: () => new Promise(() => undefined) } });
    expect((await stuck.ask('/v1/things')).status).toBe(200);
    const failing = things({}, { store: { touchApiKey: () => Promise.reject(new Error('disk full')) } });
    expect((await failing.ask('/v1/things')).status).toBe(200);
    expect(failing.logged).toHaveLength(1);
  });

  // requests#api-key-last-use
  it('stores no use for an unknown key', async () => {
    const { ask, touches } = things();
    await ask('/v1/things', { key: WRONG });
    await ask('/v1/things', { key: null });
    expect(touches).toEqual([]);
  });
});
