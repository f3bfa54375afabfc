import { describe, expect, it, vi } from 'vitest';
import { PRICE, statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('Authentication', () => {
  // requests#api-key-format
  it('takes the key as a bearer token of the Authorization header, which starts with SUB_', async () => {
    const { key } = await suite.scenario();
    expect(key).toMatch(/^SUB_[0-9A-Za-z]{43}$/);
    for (const authorization of [`Bearer ${key}`, `bearer ${key}`]) {
      const answer = await suite.as(null).get('/project', {}, { authorization });
      expect(statusAndCode(answer)).toBe('200');
    }
    for (const authorization of [key, `Basic ${key}`, `Bearer ${key.slice(0, -1)}`]) {
      const answer = await suite.as(null).get('/project', {}, { authorization });
      expect(statusAndCode(answer)).toBe('401 missing_api_key');
    }
  });

  it('ignores a key in the query string', async () => {
    const { key } = await suite.scenario();
    expect(statusAndCode(await suite.as(null).get('/project', { api_key: key }))).toBe('401 missing_api_key');
  });

  it("scopes every call to the key's project", async () => {
    const [mine, other] = [await suite.scenario(), await suite.scenario()];
    const wallet = await mine.wallet();
    const id = await mine.subscribe(wallet);
    const [event] = await mine.events(id);
    expect((await mine.api.get('/project')).body['id']).toBe(mine.projectId);
    expect((await other.api.get('/project')).body['id']).toBe(other.projectId);
    for (const path of ['', '/attempts']) {
      expect(statusAndCode(await other.api.get(`/subscriptions/${id}${path}`))).toBe(
        '404 subscription_not_found',
      );
    }
    for (const path of ['transaction', 'retry', 'cancel', 'resume', 'close']) {
      expect(statusAndCode(await other.api.post(`/subscriptions/${id}/${path}`))).toBe(
        '404 subscription_not_found',
      );
    }
    expect(statusAndCode(await other.api.get(`/events/${event?.id ?? ''}`))).toBe('404 event_not_found');
    expect((await other.api.get('/events')).body['data']).toEqual([]);
    expect((await other.api.get('/subscriptions', { wallet: wallet.address })).body['data']).toEqual([]);
    expect((await other.access({ wallet: wallet.address }))['plans']).toEqual([]);
    expect(await other.access({ wallet: wallet.address, plan: 'pro' })).toMatchObject({ status: 'none' });
  });

  it('answers 401 to a wrong key, whatever version is named', async () => {
    const answer = await suite.as(null).get('/project', {}, { 'service-version': 'latest' });
    expect(statusAndCode(answer)).toBe('401 missing_api_key');
  });

  // requests#api-key-format
  it('refuses a revoked key at once', async () => {
    const { api, key } = await suite.scenario();
    // As many calls as there are hosts, so that each of them has read the key, and each is asked again.
    const everyHost = async (expected: string) => {
      for (let host = 0; host < suite.control.hosts; host++)
        expect(statusAndCode(await api.get('/project'))).toBe(expected);
    };
    await everyHost('200');
    await suite.control.revokeKey(key);
    // The hosts that did not revoke it are notified (requests#api-key-revocation).
    if (suite.control.hosts === 1) await everyHost('401 invalid_api_key');
    else await vi.waitFor(() => everyHost('401 invalid_api_key'), { timeout: 60_000, interval: 10 });
  });

  it('counts calls without a valid key against their address, at 120 a minute', async () => {
    await suite.control.pass(60_000);
    const { key } = await suite.control.createProject({ name: 'Night Library', tier: 'dev' });
    expect(statusAndCode(await suite.as(key).get('/project'))).toBe('200');
    const withoutKey = suite.as(null);
    const wrong = suite.as(`SUB_${'0'.repeat(43)}`);
    // Each host counts these by itself.
    for (let call = 0; call < 60 * suite.control.hosts; call++) {
      expect((await withoutKey.get('/project')).status).toBe(401);
      expect((await wrong.get(`/nothing-${call}`)).status).toBe(404);
    }
    const refused = await withoutKey.get('/plans');
    expect(statusAndCode(refused)).toBe('429 rate_limited');
    expect(refused.headers.get('x-ratelimit-limit')).toBe('120');
    expect(statusAndCode(await suite.as(key).get('/project'))).toBe('200');
    await suite.control.pass(60_000);
    expect(statusAndCode(await withoutKey.get('/plans'))).toBe('401 missing_api_key');
  });

  it('changes nothing on chain with the key alone: a wallet has to sign what is built', async () => {
    const scenario = await suite.scenario();
    const wallet = await scenario.wallet();
    const { subscription, transaction } = await scenario.issue(wallet);
    const unsigned = await scenario.api.post(`/subscriptions/${subscription.id}/submit`, {
      transaction,
      terms_signature: '1'.repeat(64),
    });
    expect(statusAndCode(unsigned)).toBe('400 not_our_transaction');
    expect(await scenario.holding(wallet)).toBe(10n * PRICE);
    const id = await scenario.subscribe(wallet);
    const { signature } = await scenario.signed('cancel', id, wallet);
    expect(statusAndCode(await scenario.confirm('cancel', id, signature))).toBe('201 transaction_expired');
    expect(await scenario.read(id)).toMatchObject({ status: 'active' });
  });
});
