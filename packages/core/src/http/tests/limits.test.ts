import { describe, expect, it } from 'vitest';

import { FixedWindows } from '../../service/fixed-windows.js';
import { ManualClock } from '../../testing/manual-clock.js';
import {
  KEY,
  NOW,
  SAMPLE_OPERATIONS,
  callerOf,
  fetchHandler,
  json,
  handlerFixture,
  type Caller,
  type Answer,
} from './fixtures.js';

function rateLimitHeaders({ headers }: Answer): (string | null)[] {
  return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'].map((name) =>
    headers.get(name),
  );
}

async function repeat(times: number, call: () => ReturnType<Caller>): Promise<Answer> {
  let last = await call();
  for (let i = 1; i < times; i++) last = await call();
  return last;
}

// requests#rate-limit-per-key-and-route
describe('rate limits', () => {
  // requests#rate-limit-per-key-and-route
  // requests#fixed-rate-limit-window
  it('allows a key 1,000 calls of a read route in the minute from its first call', async () => {
    const { call, clock } = handlerFixture();
    expect(rateLimitHeaders(await call('/v1/widgets'))).toEqual(['1000', '999', '60', null]);
    clock.advance(20_500);
    expect(rateLimitHeaders(await repeat(999, () => call('/v1/widgets')))).toEqual(['1000', '0', '40', null]);
    const over = await call('/v1/widgets');
    expect(over.body).toMatchObject({ statusCode: 429, code: 'rate_limited', retryable: true });
    expect(rateLimitHeaders(over)).toEqual(['1000', '0', '40', '40']);
    clock.advance(39_499);
    expect((await call('/v1/widgets')).status).toBe(429);
    clock.advance(1);
    expect(rateLimitHeaders(await call('/v1/widgets'))).toEqual(['1000', '999', '60', null]);
  });

  // requests#rate-limit-per-key-and-route
  it('allows a key 60 calls a minute of a route that builds, reads the chain or writes', async () => {
    const { call } = handlerFixture();
    const write = () => call('/v1/widgets', json({ name: 'lamp' }));
    expect(rateLimitHeaders(await repeat(60, write))).toEqual(['60', '0', '60', null]);
    expect((await write()).status).toBe(429);
  });

  // requests#rate-limit-per-key-and-route
  it('counts each route separately, whatever its path parameter is', async () => {
    const { call } = handlerFixture();
    await call('/v1/widgets/a');
    expect(rateLimitHeaders(await call('/v1/widgets/b'))[1]).toBe('998');
    expect(rateLimitHeaders(await call('/v1/widgets'))[1]).toBe('999');
    expect(rateLimitHeaders(await call('/v1/widgets', json({ name: 'lamp' })))[1]).toBe('59');
  });

  // requests#rate-limit-per-key-and-route
  it('counts unknown paths with a valid key as one route of the read class', async () => {
    const { call } = handlerFixture();
    await call('/v1/nothing');
    expect(rateLimitHeaders(await call('/v1/neither', { method: 'PATCH' }))).toEqual([
      '1000',
      '998',
      '60',
      null,
    ]);
    await repeat(998, () => call('/v1/nothing'));
    expect((await call('/v1/nothing')).status).toBe(429);
    expect((await call('/v1/widgets')).status).toBe(200);
  });

  // requests#rate-limit-over-several-hosts
  it('allows a key the limit on each host, whatever it sent to others', async () => {
    const { call, billing } = handlerFixture();
    const other = callerOf(fetchHandler(billing.service, SAMPLE_OPERATIONS));
    for (const host of [call, other]) {
      const write = () => host('/v1/widgets', json({ name: 'lamp' }));
      expect(rateLimitHeaders(await repeat(60, write))).toEqual(['60', '0', '60', null]);
      expect((await write()).status).toBe(429);
    }
  });

  // requests#rate-limit-headers
  it('sends the rate limit headers with every counted answer, also with refusals', async () => {
    const { call } = handlerFixture();
    await call('/v1/widgets?size=1');
    expect(rateLimitHeaders(await call('/v1/widgets', { headers: { 'Service-Version': 'latest' } }))[1]).toBe(
      '998',
    );
  });

  // requests#rate-limit-headers
  it('sends a Retry-After of at least a second', async () => {
    const { call, clock } = handlerFixture();
    await repeat(60, () => call('/v1/widgets', json({ name: 'lamp' })));
    clock.advance(59_999);
    expect(rateLimitHeaders(await call('/v1/widgets', json({ name: 'lamp' })))).toEqual([
      '60',
      '0',
      '1',
      '1',
    ]);
  });
});

// requests#anonymous-rate-limit
describe('calls without a valid key', () => {
  it('are limited to 120 a minute for each address, whatever is wrong with them', async () => {
    const { call, clock } = handlerFixture();
    await repeat(40, () => call('/v1/widgets', { key: null }));
    await repeat(40, () => call('/v1/widgets', { key: `SUB_${'x'.repeat(43)}` }));
    expect(rateLimitHeaders(await repeat(40, () => call('/v1/nothing', { key: null })))).toEqual([
      '120',
      '0',
      '60',
      null,
    ]);
    const over = await call('/v1/widgets', { key: null });
    expect(over.body).toMatchObject({ statusCode: 429, code: 'rate_limited', retryable: true });
    expect(rateLimitHeaders(over)).toEqual(['120', '0', '60', '60']);
    expect((await call('/v1/nothing', { key: null })).status).toBe(429);
    expect((await call('/v1/widgets', { key: null, ip: '203.0.113.8' })).status).toBe(401);
    clock.advance(60_000);
    expect((await call('/v1/widgets', { key: null })).status).toBe(401);
  });

  it('do not limit a valid key from the same address', async () => {
    const { call } = handlerFixture();
    await call('/v1/widgets', { key: KEY });
    await repeat(121, () => call('/v1/widgets', { key: null }));
    expect((await call('/v1/widgets', { key: KEY })).status).toBe(200);
  });

  it('do not include the first call with a valid key', async () => {
    const { call } = handlerFixture();
    await call('/v1/widgets', { key: KEY });
    expect(rateLimitHeaders(await call('/v1/widgets', { key: null }))[1]).toBe('119');
  });

  it('do not include a call with a valid key that the store could not look up', async () => {
    const { call } = handlerFixture(
      {},
      { store: { findApiKey: () => Promise.reject(new Error('disk full')) } },
    );
    expect((await call('/v1/widgets', { key: KEY })).status).toBe(500);
    expect(rateLimitHeaders(await call('/v1/widgets', { key: null }))[1]).toBe('119');
  });

  // requests#anonymous-limit-spares-the-store
  describe('past the limit', () => {
    const guess = (number: number) => `SUB_${String(number).padStart(43, 'x')}`;

    /** A handler over a store that records each look-up and has `KEY`, until it is revoked. */
    function watched() {
      const lookedUp: string[] = [];
      const state = { revoked: false };
      const inner = handlerFixture();
      const { store } = inner.billing.service;
      const find = store.findApiKey.bind(store);
      const fixture = handlerFixture(
        {},
        {
          store: {
            findApiKey: async (hash) => {
              lookedUp.push(hash);
              return state.revoked ? null : find(hash);
            },
          },
        },
      );
      return { ...fixture, lookedUp, state };
    }

    it('ask the store nothing, whether they have a guessed key or none', async () => {
      const { call, lookedUp } = watched();
      await repeat(100, () => call('/v1/widgets', { key: null }));
      for (let number = 0; number < 200; number++) await call('/v1/nothing', { key: guess(number) });
      expect(lookedUp).toHaveLength(20);
      expect((await call('/v1/widgets', { key: guess(1) })).status).toBe(429);
    });

    it('ask the store nothing when they come at once', async () => {
      const { call, lookedUp } = watched();
      const calls = Array.from({ length: 500 }, (_, number) => call('/v1/widgets', { key: guess(number) }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(lookedUp).toHaveLength(120);
      expect(statuses.filter((status) => status === 429)).toHaveLength(380);
    });

    it('look up a key that was valid before, once more after it was revoked', async () => {
      const { call, lookedUp, state } = watched();
      await call('/v1/widgets', { key: KEY });
      await repeat(121, () => call('/v1/widgets', { key: null }));
      state.revoked = true;
      await repeat(3, () => call('/v1/widgets', { key: KEY }));
      expect(lookedUp).toHaveLength(2);
    });

    it('refuse a valid key that was never used before, until the window ends', async () => {
      const { call, clock } = watched();
      await repeat(120, () => call('/v1/widgets', { key: null }));
      const refused = await call('/v1/widgets', { key: KEY });
      expect(rateLimitHeaders(refused)).toEqual(['120', '0', '60', '60']);
      clock.advance(60_000);
      expect((await call('/v1/widgets', { key: KEY })).status).toBe(200);
    });
  });

  // requests#anonymous-limit-by-ipv6-prefix
  describe('from IPv6', () => {
    const remaining = async (call: Caller, ip: string) =>
      rateLimitHeaders(await call('/v1/widgets', { key: null, ip }))[1];

    it('are counted by /64, however the address is written', async () => {
      const { call } = handlerFixture();
      expect(await remaining(call, '2001:db8:1:2::1')).toBe('119');
      expect(await remaining(call, '2001:DB8:0001:2:ffff:0:0:9')).toBe('118');
      expect(await remaining(call, '2001:db8:1:2::1%eth0')).toBe('117');
      expect(await remaining(call, '2001:db8:1:3::1')).toBe('119');
    });

    it('are counted by the IPv4 address that they stand for', async () => {
      const { call } = handlerFixture();
      expect(await remaining(call, '203.0.113.7')).toBe('119');
      expect(await remaining(call, '::ffff:203.0.113.7')).toBe('118');
      expect(await remaining(call, '::ffff:203.0.113.8')).toBe('119');
    });
  });
});

describe('FixedWindows', () => {
  const limiterWithClock = (capacity: number) => {
    const clock = new ManualClock(NOW);
    let behind = 0;
    const now = () => new Date(clock.now().getTime() - behind);
    return {
      clock,
      limiter: new FixedWindows({ now, sleep: async () => undefined }, capacity),
      setBack: (ms: number) => void (behind += ms),
    };
  };

  // requests#rate-limit-memory
  it('remembers at most its capacity of callers and forgets the oldest window first', () => {
    const { limiter } = limiterWithClock(3);
    for (const caller of ['a', 'b', 'c', 'a', 'd']) limiter.count(caller, 10);
    expect(limiter.size).toBe(3);
    expect(limiter.count('b', 10).remaining).toBe(8);
    expect(limiter.count('c', 10).remaining).toBe(8);
    expect(limiter.count('a', 10).remaining).toBe(9);
  });

  // requests#rate-limit-memory
  it('holds at most 100,000 of 250,000 addresses', () => {
    const { limiter } = limiterWithClock(100_000);
    for (let i = 0; i < 250_000; i++) limiter.count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 120);
    expect(limiter.size).toBe(100_000);
  });

  // requests#rate-limit-memory
  it('forgets windows that have ended', () => {
    const { limiter, clock } = limiterWithClock(1000);
    for (let i = 0; i < 500; i++) limiter.count(`${i}`, 10);
    clock.advance(30_000);
    limiter.count('late', 10);
    clock.advance(30_000);
    limiter.count('new', 10);
    expect(limiter.size).toBe(2);
  });

  it('counts a window that starts again as the newest', () => {
    const { limiter, clock } = limiterWithClock(2);
    limiter.count('a', 10);
    clock.advance(30_000);
    limiter.count('b', 10);
    clock.advance(30_000);
    limiter.count('a', 10);
    limiter.count('c', 10);
    expect(limiter.count('a', 10).remaining).toBe(8);
  });

  it('ends a window when the clock is set back, and does not lengthen it', () => {
    const { limiter, setBack } = limiterWithClock(10);
    limiter.count('a', 10);
    setBack(3_600_000);
    expect(limiter.count('a', 10)).toEqual({ limit: 10, remaining: 9, reset: 60, over: false });
  });

  it('keeps the window of a caller when it forgets one that a clock that was set back ended', () => {
    const { limiter, clock, setBack } = limiterWithClock(3);
    limiter.count('oldest', 10);
    clock.advance(30_000);
    limiter.count('a', 10);
    setBack(20_000);
    for (const caller of ['a', 'b', 'c']) limiter.count(caller, 10);
    expect(limiter.count('a', 10).remaining).toBe(8);
  });
});
