import { describe, expect, it } from 'vitest';
import { SECOND, statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

/** Of several hosts, each knows of its own calls only. */
function expectRemaining(remaining: number | undefined, exactly: number): void {
  expect(remaining).toBeGreaterThanOrEqual(exactly);
  expect(remaining).toBeLessThan(exactly + suite.control.hosts);
}

describe('limits', () => {
  // requests#rate-limit-headers
  it("X-RateLimit-Limit, -Remaining and -Reset count the caller's calls", async () => {
    const { api } = await suite.scenario();
    const counts = async () => {
      const { headers } = await api.get('/plans');
      return ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    };
    expect(await counts()).toEqual([1_000, 999, 60]);
    await suite.control.pass(20 * SECOND);
    const [, remaining, reset] = await counts();
    expectRemaining(remaining, 998);
    // The window of another host may begin with this call.
    expect(reset).toBeLessThanOrEqual(suite.control.hosts === 1 ? 40 : 60);
  });

  // requests#fixed-rate-limit-window
  // requests#rate-limit-over-several-hosts
  it('a window lasts one minute from its first call, in which N hosts admit the limit at least and N times that at most', async () => {
    const { api } = await suite.scenario();
    for (let call = 0; call < 60; call++) expect((await api.post('/subscriptions', {})).status).toBe(400);
    for (let call = 60; call < suite.mostCalls(60); call++) await api.post('/subscriptions', {});
    const refused = await api.post('/subscriptions', {});
    expect(statusAndCode(refused)).toBe('429 rate_limited');
    await suite.control.pass(Number(refused.headers.get('retry-after')) * SECOND);
    expect(statusAndCode(await api.post('/subscriptions', {}))).toBe('400 invalid_request');
  });

  it('calls are counted for each key and each route', async () => {
    const scenario = await suite.scenario();
    for (let call = 0; call <= suite.mostCalls(60); call++) await scenario.api.post('/subscriptions', {});
    expect(statusAndCode(await scenario.api.post('/subscriptions', {}))).toBe('429 rate_limited');
    expect(statusAndCode(await scenario.api.get('/project'))).toBe('200');
    const other = scenario.as(await suite.control.createKey(scenario.projectId));
    expect(statusAndCode(await other.post('/subscriptions', {}))).toBe('400 invalid_request');
  });

  // requests#fixed-rate-limit-window
  it('unknown paths count as one read route', async () => {
    const { api } = await suite.scenario();
    await api.get('/nothing');
    const { headers } = await api.get('/something-else');
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    expectRemaining(Number(headers.get('x-ratelimit-remaining')), 998);
  });

  it.each<[string, Record<string, string>, number]>([
    ['external_id: 255 characters', { external_id: 'x'.repeat(255) }, 200],
    ['external_id: 256 characters', { external_id: 'x'.repeat(256) }, 400],
    [
      'email: 254 characters',
      { email: `${'x'.repeat(63)}@${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example` },
      200,
    ],
    [
      'email: 255 characters',
      { email: `${'x'.repeat(64)}@${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(60)}.example` },
      400,
    ],
    ['email: no address', { email: 'ada' }, 400],
    ['wallet: 31 characters', { wallet: '1'.repeat(31) }, 400],
    ['wallet: 32 characters', { wallet: '1'.repeat(32) }, 200],
    ['wallet: letters that base58 lacks', { wallet: `0${'1'.repeat(31)}` }, 400],
    ['wallet: 45 characters', { wallet: '2'.repeat(45) }, 400],
  ])('%s', async (_, query, status) => {
    const { key } = await suite.control.createProject({ name: 'Night Library', tier: 'free' });
    expect((await suite.as(key).get('/access', query)).status).toBe(status);
  });

  it('the same limits hold for the body of create', async () => {
    const { api } = await suite.scenario();
    for (const wrong of [
      { external_id: '' },
      { external_id: 'x'.repeat(256) },
      { email: 'ada' },
      { wallet: 'nobody' },
      { plan: 7 },
    ]) {
      const answer = await api.post('/subscriptions', { plan: 'pro', wallet: '1'.repeat(32), ...wrong });
      expect(statusAndCode(answer)).toBe('400 invalid_request');
    }
    expect(statusAndCode(await api.post('/subscriptions', { plan: 'pro' }))).toBe('400 invalid_request');
    expect(statusAndCode(await api.post('/subscriptions', { wallet: '1'.repeat(32) }))).toBe(
      '400 invalid_request',
    );
  });

  it('a body of 100 kB is read, and one byte more is refused as 413 payload_too_large', async () => {
    const { api } = await suite.scenario();
    const padded = (length: number) => ({
      method: 'POST',
      path: '/v1/subscriptions',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      body: `{}${' '.repeat(length - 2)}`,
    });
    expect(statusAndCode(await api.send(padded(100_000)))).toBe('400 invalid_request');
    expect(statusAndCode(await api.send(padded(100_001)))).toBe('413 payload_too_large');
  });
});
