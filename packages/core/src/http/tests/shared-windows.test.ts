import fc from 'fast-check';
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
      const firstAt = window.startedAt.getTime();
      const isOpen = known !== undefined && age < 60_000 && age >= -60_000;
      const before = isOpen ? known.calls : 0;
      const startedAt = isOpen && (known.startedAt <= firstAt || age < 0) ? known.startedAt : firstAt;
      windows.set(caller, { startedAt, calls: before + calls });
      return { startedAt: new Date(startedAt), before };
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

  /** At least the limit, and at most a twentieth of it more for each host. */
  function expectLimit(admitted: number, limit: number): void {
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + hosts.length * Math.floor(limit / 20));
  }

  it.each([10, 60, 300, 1_000])(
    'admit the limit of %i, and at most a twentieth more for each host',
    async (limit) => {
      for (let minute = 0; minute < 3; minute++) {
        expectLimit(await send(3 * limit, limit), limit);
        clock.advance(60_000);
      }
    },
  );

  it('admit that of calls that race', async () => {
    const counts = await Promise.all(
      Array.from({ length: 300 }, (_, call) => host(call % 3).count('key', 60)),
    );
    expectLimit(counts.filter(({ over }) => !over).length, 60);
    expect(port.takes()).toBeLessThanOrEqual(30);
  });

  it('refuse no call below the limit, however unevenly the hosts answer the caller and whenever they began', async () => {
    const calls = fc.array(fc.record({ host: fc.nat(2), times: fc.nat(30), seconds: fc.nat(20) }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(calls, async (bursts) => {
        const limit = 60;
        const { rateLimit } = memoryRateLimit();
        const clock = new ManualClock(NOW);
        const hosts = Array.from({ length: 3 }, () => new SharedWindows(clock, 100, rateLimit));
        const admittedAt: number[] = [];
        for (const { host, times, seconds } of bursts) {
          clock.advance(seconds * 1_000);
          const now = clock.now().getTime();
          for (let call = 0; call < times; call++) {
            const { over } = await (hosts[host] as SharedWindows).count('key', limit);
            if (!over) admittedAt.push(now);
            else expect(admittedAt.filter((at) => at > now - 60_000).length).toBeGreaterThanOrEqual(limit);
          }
        }
      }),
    );
  });

  it('count the calls once when the answer of the port was lost', async () => {
    let isLost = false;
    const windows = new SharedWindows(clock, 100, {
      async take(...given) {
        const taken = await port.rateLimit.take(...given);
        if (isLost) throw new Unavailable('The answer of the database was lost.');
        return taken;
      },
    });
    for (let call = 0; call < 30; call++) await windows.count('key', 60);
    isLost = true;
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => windows.count('key', 60)));
    const lost = failed.filter(({ status }) => status === 'rejected').length;
    expect(lost).toBeGreaterThan(0);
    isLost = false;
    expect(await send(100, 60, [windows])).toBe(60 - 30 - 5);
  });

  it('admit the whole limit of a caller that one host answers', async () => {
    expect(await send(1_001, 1_000, [host(0)])).toBe(1_000);
    expect(port.takes()).toBeLessThanOrEqual(21);
    // A host admits a twentieth before it asks.
    expect(await send(100, 1_000, [host(1)])).toBe(50);
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
    expect(count.remaining).toBe(60 - 28 - 4);
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
