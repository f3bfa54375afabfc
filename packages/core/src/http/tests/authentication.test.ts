import { describe, expect, it } from 'vitest';

import { mountFetch } from '../handler.js';
import { KEY, NOW, THINGS, asking, things, world } from './world.js';

const WRONG = `SUB_${'x'.repeat(43)}`;

describe('Authentication', () => {
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

  it('requests#bearer-authentication: a well-formed key that is not known is invalid_api_key', async () => {
    const answer = await things().ask('/v1/things', { key: WRONG });
    expect(answer.body).toMatchObject({ statusCode: 401, code: 'invalid_api_key', retryable: false });
  });

  it('the scheme may be written in any case', async () => {
    const headers = { Authorization: `bearer ${KEY}` };
    expect((await things().ask('/v1/things', { key: null, headers })).status).toBe(200);
  });

  it('3: a missing or wrong key answers 401 whatever version is named', async () => {
    const { ask } = things();
    const headers = { 'Service-Version': 'latest' };
    expect((await ask('/v1/things', { key: null, headers })).status).toBe(401);
    expect((await ask('/v1/things', { key: WRONG, headers })).status).toBe(401);
  });

  it('1: a key in the query string opens nothing', async () => {
    const { ask } = things();
    expect((await ask(`/v1/things?key=${KEY}`, { key: null })).body['code']).toBe('missing_api_key');
  });

  it('requests#api-key-format: the store is asked for the SHA-256 of a key, and never told the key', async () => {
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

  it('a text that cannot be a key is not looked up', async () => {
    const { ask } = things({}, { store: { findApiKey: () => Promise.reject(new Error('was looked up')) } });
    expect((await ask('/v1/things', { key: 'SUB_short' })).status).toBe(401);
  });

  it('requests#api-key-format: the last use is kept, at most once a minute', async () => {
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

  it('requests#api-key-format: a use another process kept within the minute is not written again', async () => {
    const { ask, clock, touches } = things({}, { lastUsedAt: new Date(NOW.getTime() - 30_000) });
    await ask('/v1/things');
    clock.advance(29_999);
    await ask('/v1/things');
    expect(touches).toEqual([]);
    clock.advance(1);
    await ask('/v1/things');
    expect(touches).toHaveLength(1);
  });

  it('requests#api-key-format: a hundred first calls at once write the last use once', async () => {
    const { ask, touches } = things();
    await Promise.all(Array.from({ length: 100 }, () => ask('/v1/things')));
    expect(touches).toHaveLength(1);
  });

  it('keeping the last use is waited for by nobody, and its failure fails nothing', async () => {
    const stuck = things({}, { store: { touchApiKey: () => new Promise(() => undefined) } });
    expect((await stuck.ask('/v1/things')).status).toBe(200);
    const failing = things({}, { store: { touchApiKey: () => Promise.reject(new Error('disk full')) } });
    expect((await failing.ask('/v1/things')).status).toBe(200);
    expect(failing.logged).toHaveLength(1);
  });

  it('an unused or unknown key notes nothing', async () => {
    const { ask, touches } = things();
    await ask('/v1/things', { key: WRONG });
    await ask('/v1/things', { key: null });
    expect(touches).toEqual([]);
  });
});
