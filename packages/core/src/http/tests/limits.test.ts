import { describe, expect, it } from 'vitest';

import { FixedWindows } from '../fixed-windows.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { KEY, NOW, json, things, type Asks, type Told } from './world.js';

function entitlement({ headers }: Told): (string | null)[] {
  return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'].map((name) =>
    headers.get(name),
  );
}

async function repeat(times: number, call: () => ReturnType<Asks>): Promise<Told> {
  let last = await call();
  for (let i = 1; i < times; i++) last = await call();
  return last;
}

// requests#rate-limit-per-key-and-route
describe('rate limits', () => {
  // requests#rate-limit-per-key-and-route
  // requests#fixed-rate-limit-window
  it('a read route allows a key 1,000 calls a minute, from its first call', async () => {
    const { ask, clock } = things();
    expect(entitlement(await ask('/v1/things'))).toEqual(['1000', '999', '60', null]);
    clock.advance(20_500);
    expect(entitlement(await repeat(999, () => ask('/v1/things')))).toEqual(['1000', '0', '40', null]);
    const over = await ask('/v1/things');
    expect(over.body).toMatchObject({ statusCode: 429, code: 'rate_limited', retryable: true });
    expect(entitlement(over)).toEqual(['1000', '0', '40', '40']);
    clock.advance(39_499);
    expect((await ask('/v1/things')).status).toBe(429);
    clock.advance(1);
    expect(entitlement(await ask('/v1/things'))).toEqual(['1000', '999', '60', null]);
  });

  // requests#rate-limit-per-key-and-route
  it('a route that builds, reads the chain or writes allows 60', async () => {
    const { ask } = things();
    const write = () => ask('/v1/things', json({ name: 'lamp' }));
    expect(entitlement(await repeat(60, write))).toEqual(['60', '0', '60', null]);
    expect((await write()).status).toBe(429);
  });

  // requests#rate-limit-per-key-and-route
  it('each route is counted separately, whatever its path parameter is', async () => {
    const { ask } = things();
    await ask('/v1/things/a');
    expect(entitlement(await ask('/v1/things/b'))[1]).toBe('998');
    expect(entitlement(await ask('/v1/things'))[1]).toBe('999');
    expect(entitlement(await ask('/v1/things', json({ name: 'lamp' })))[1]).toBe('59');
  });

  // requests#rate-limit-per-key-and-route
  it('unknown paths with a valid key count as one route of the read class', async () => {
    const { ask } = things();
    await ask('/v1/nothing');
    expect(entitlement(await ask('/v1/neither', { method: 'PATCH' }))).toEqual(['1000', '998', '60', null]);
    await repeat(998, () => ask('/v1/nothing'));
    expect((await ask('/v1/nothing')).status).toBe(429);
    expect((await ask('/v1/things')).status).toBe(200);
  });

  // requests#rate-limit-headers
  it('counted answers carry the rate limit headers, refusals too', async () => {
    const { ask } = things();
    await ask('/v1/things?size=1');
    expect(entitlement(await ask('/v1/things', { headers: { 'Service-Version': 'latest' } }))[1]).toBe('998');
  });

  // requests#rate-limit-headers
  it('Retry-After is at least a second', async () => {
    const { ask, clock } = things();
    await repeat(60, () => ask('/v1/things', json({ name: 'lamp' })));
    clock.advance(59_999);
    expect(entitlement(await ask('/v1/things', json({ name: 'lamp' })))).toEqual(['60', '0', '1', '1']);
  });
});

// requests#anonymous-rate-limit
describe('calls without a valid key', () => {
  it('count against their address at 120 a minute, whatever is wrong with them, then 429', async () => {
    const { ask, clock } = things();
    await repeat(40, () => ask('/v1/things', { key: null }));
    await repeat(40, () => ask('/v1/things', { key: `SUB_${'x'.repeat(43)}` }));
    expect(entitlement(await repeat(40, () => ask('/v1/nothing', { key: null })))).toEqual([
      '120',
      '0',
      '60',
      null,
    ]);
    const over = await ask('/v1/things', { key: null });
    expect(over.body).toMatchObject({ statusCode: 429, code: 'rate_limited', retryable: true });
    expect(entitlement(over)).toEqual(['120', '0', '60', '60']);
    expect((await ask('/v1/nothing', { key: null })).status).toBe(429);
    expect((await ask('/v1/things', { key: null, ip: '203.0.113.8' })).status).toBe(401);
    clock.advance(60_000);
    expect((await ask('/v1/things', { key: null })).status).toBe(401);
  });

  it('leave a valid key from the same address alone', async () => {
    const { ask } = things();
    await repeat(121, () => ask('/v1/things', { key: null }));
    expect((await ask('/v1/things', { key: KEY })).status).toBe(200);
  });
});

describe('FixedWindows', () => {
  const windows = (capacity: number) => {
    const clock = new ManualClock(NOW);
    return { clock, windows: new FixedWindows(clock, capacity) };
  };

  // requests#rate-limit-memory
  it('remembers at most its capacity of callers and forgets the oldest window first', () => {
    const { windows: counted } = windows(3);
    for (const caller of ['a', 'b', 'c', 'a', 'd']) counted.count(caller, 10);
    expect(counted.size).toBe(3);
    expect(counted.count('b', 10).remaining).toBe(8);
    expect(counted.count('c', 10).remaining).toBe(8);
    expect(counted.count('a', 10).remaining).toBe(9);
  });

  // requests#rate-limit-memory
  it('holds a flood of 250,000 addresses in 100,000 entries', () => {
    const { windows: counted } = windows(100_000);
    for (let i = 0; i < 250_000; i++) counted.count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 120);
    expect(counted.size).toBe(100_000);
  });

  // requests#rate-limit-memory
  it('forgets windows that are over', () => {
    const { windows: counted, clock } = windows(1000);
    for (let i = 0; i < 500; i++) counted.count(`${i}`, 10);
    clock.advance(30_000);
    counted.count('late', 10);
    clock.advance(30_000);
    counted.count('new', 10);
    expect(counted.size).toBe(2);
  });

  it('a window opened anew is the newest', () => {
    const { windows: counted, clock } = windows(2);
    counted.count('a', 10);
    clock.advance(30_000);
    counted.count('b', 10);
    clock.advance(30_000);
    counted.count('a', 10);
    counted.count('c', 10);
    expect(counted.count('a', 10).remaining).toBe(8);
  });

  it('a clock set back ends a window instead of stretching it', () => {
    let now = NOW;
    const counted = new FixedWindows({ now: () => now, sleep: async () => undefined }, 10);
    counted.count('a', 10);
    now = new Date(NOW.getTime() - 3_600_000);
    expect(counted.count('a', 10)).toEqual({ limit: 10, remaining: 9, reset: 60, over: false });
  });
});
