import { beforeEach, describe, expect, it, test } from 'vitest';
import { Unavailable } from '../../ports/unavailable.js';
import type { RateLimit } from '../../ports/index.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { rateLimitConformance } from '../../testing/rate-limit-conformance.js';
import { SharedWindows } from '../shared-windows.js';
import { NOW } from './fixtures.js';

/** The port in memory. */
function memoryRateLimit() {
  const windows = new Map<string, { startedAt: number; calls: number }>();
  let takes = 0;
  const rateLimit: RateLimit = {
    async take(caller, calls, window) {
      takes += 1;
      const now = window.now.getTime();
      const known = windows.get(caller);
      const age = known === undefined ? Infinity : now - known.startedAt;
      const open =
        known !== undefined && age < 60_000 && age >= -60_000
          ? known
          : { startedAt: window.startedAt.getTime(), calls: 0 };
      windows.set(caller, { ...open, calls: open.calls + calls });
      return { startedAt: new Date(open.startedAt), before: open.calls };
    },
  };
  return { rateLimit, takes: () => takes };
}

describe('the rate limit in memory', () => {
  rateLimitConformance(test, async () => {
    const { rateLimit } = memoryRateLimit();
    return { rateLimit, peer: rateLimit, close: () => Promise.resolve() };
  });
});

// requests#rate-limit-over-several-hosts
describe('limits over several hosts', () => {
  let clock: ManualClock;
  let port: ReturnType<typeof memoryRateLimit>;
  let hosts: SharedWindows[];
  beforeEach(() => {
    clock = new ManualClock(NOW);
    port = memoryRateLimit();
    hosts = Array.from({ length: 3 }, () => new SharedWindows(clock, 100, port.rateLimit));
  });
  const host = (number: number): SharedWindows => hosts[number] as SharedWindows;

  /** Sends calls to hosts in turn, and returns how many were admitted. */
  async function send(calls: number, limit: number, to = hosts): Promise<number> {
    let admitted = 0;
    for (let call = 0; call < calls; call++) {
      const { over } = await (to[call % to.length] as SharedWindows).count('key', limit);
      if (!over) admitted += 1;
    }
    return admitted;
  }

  it.each([60, 300, 1_000])('admit at most the limit of %i and a twentieth for each host', async (limit) => {
    for (let minute = 0; minute < 3; minute++) {
      const admitted = await send(3 * limit, limit);
      expect(admitted).toBeLessThanOrEqual(limit + 3 * Math.floor(limit / 20));
      expect(admitted).toBeGreaterThanOrEqual(limit * 0.9);
      clock.advance(60_000);
    }
  });

  it('admit at most that of calls that race', async () => {
    const counts = await Promise.all(
      Array.from({ length: 300 }, (_, call) => host(call % 3).count('key', 60)),
    );
    expect(counts.filter(({ over }) => !over).length).toBeLessThanOrEqual(60 + 3 * 3);
    expect(port.takes()).toBeLessThanOrEqual(30);
  });

  it('admit the whole limit of a caller that one host answers', async () => {
    expect(await send(1_001, 1_000, [host(0)])).toBe(1_000);
    expect(port.takes()).toBeLessThanOrEqual(45);
    expect(await send(1, 1_000, [host(1)])).toBe(1);
  });

  it('ask the port for nothing while a caller sends few calls, nor once its window is full', async () => {
    await send(50, 1_000, [host(0)]);
    expect(port.takes()).toBe(0);
    await send(2_000, 1_000, [host(0)]);
    const full = port.takes();
    await send(100, 1_000, [host(0)]);
    expect(port.takes()).toBe(full);
  });

  it('say what is left and when the window ends, as far as the host knows', async () => {
    expect(await host(0).count('key', 60)).toEqual({ limit: 60, remaining: 59, reset: 60, over: false });
    await send(30, 60, [host(0)]);
    clock.advance(20_000);
    await send(3, 60, [host(1)]);
    const count = await host(1).count('key', 60);
    expect(count).toMatchObject({ reset: 40, over: false });
    expect(count.remaining).toBeLessThanOrEqual(60 - 31 - 4);
    await send(60, 60);
    expect(await host(1).count('key', 60)).toEqual({ limit: 60, remaining: 0, reset: 40, over: true });
  });

  it('do not begin anew for a host whose clock is behind', async () => {
    await send(60, 60, [host(0)]);
    const behind = new SharedWindows(new ManualClock(new Date(NOW.getTime() - 5_000)), 100, port.rateLimit);
    expect(await send(60, 60, [behind])).toBe(3);
  });

  it('refuse a call that cannot be counted, and count again after it', async () => {
    let isDown = true;
    const windows = new SharedWindows(clock, 100, {
      take: (...given) =>
        isDown ? Promise.reject(new Unavailable('The database is down.')) : port.rateLimit.take(...given),
    });
    for (let call = 0; call < 3; call++) await windows.count('key', 60);
    await expect(windows.count('key', 60)).rejects.toThrow('The database is down.');
    isDown = false;
    expect(await windows.count('key', 60)).toMatchObject({ over: false });
  });
});
