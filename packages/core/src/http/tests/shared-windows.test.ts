import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { Unavailable } from '../../ports/unavailable.js';
import type { RateLimit } from '../../ports/index.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { createTroubles, type Troubles } from '../../service/troubles.js';
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

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A host with its clock and its troubles. */
function openHost(
  clock: ManualClock,
  rateLimit: RateLimit,
  troubles: Troubles = createTroubles({ clock, logger: SILENT, notices: null }),
): SharedWindows {
  return new SharedWindows({ clock, rateLimit, troubles }, 100);
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
    hosts = Array.from({ length: 3 }, () => openHost(clock, port.rateLimit));
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
        const hosts = Array.from({ length: 3 }, () => openHost(clock, rateLimit));
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
    const behind = openHost(new ManualClock(new Date(NOW.getTime() - 5_000)), port.rateLimit);
    expect(await send(60, 60, [behind])).toBe(3);
  });

  describe('while the port fails', () => {
    let isDown: boolean;
    let takes: number;
    let told: string[];
    let windows: SharedWindows;
    beforeEach(() => {
      isDown = false;
      takes = 0;
      told = [];
      const log = (facts: object, message: string) => void told.push(message);
      const troubles = createTroubles({ clock, logger: { ...SILENT, info: log, warn: log }, notices: null });
      const rateLimit: RateLimit = {
        take(...given) {
          takes += 1;
          return isDown
            ? Promise.reject(new Unavailable('The database only reads.'))
            : port.rateLimit.take(...given);
        },
      };
      windows = openHost(clock, rateLimit, troubles);
    });

    it.each([10, 60, 1_000])('admit the limit of %i on each host alone', async (limit) => {
      isDown = true;
      expect(await send(2 * limit, limit, [windows])).toBe(limit);
      expect(await windows.count('key', limit)).toEqual({ limit, remaining: 0, reset: 60, over: true });
    });

    it('admit that of calls that race', async () => {
      isDown = true;
      const counts = await Promise.all(Array.from({ length: 90 }, () => windows.count('key', 60)));
      expect(counts.filter(({ over }) => !over)).toHaveLength(60);
      expect(takes).toBe(1);
    });

    it('ask the port and warn once in each window, and once in all windows when it counts again', async () => {
      isDown = true;
      await send(200, 60, [windows]);
      expect(takes).toBe(1);
      clock.advance(60_000);
      await send(200, 60, [windows]);
      expect(takes).toBe(2);
      expect(told).toHaveLength(1);
      clock.advance(60_000);
      isDown = false;
      expect(await send(200, 60, [windows])).toBe(60);
      expect(told).toHaveLength(2);
      expect(await send(60, 60, [host(0)])).toBe(3);
    });

    it('admit the limit less the calls of other hosts that they learned of before', async () => {
      await send(28, 60, [host(0)]);
      await send(4, 60, [windows]);
      isDown = true;
      expect(await send(100, 60, [windows])).toBe(60 - 28 - 4);
    });

    it('count the calls once when the answer of the port was lost', async () => {
      const lossy = openHost(clock, {
        async take(...given) {
          await port.rateLimit.take(...given);
          throw new Unavailable('The answer of the database was lost.');
        },
      });
      expect(await send(100, 60, [lossy])).toBe(60);
      expect(await send(100, 60, [host(0)])).toBe(60 - 4);
    });

    it('count only the calls of the window that the port began last', async () => {
      await send(3, 60, [host(0)]);
      clock.advance(30_000);
      await send(4, 60, [windows]);
      clock.advance(5_000);
      // The host reports that the window began 30 seconds before the first call of the other one.
      await send(1, 60, [host(0)]);
      clock.advance(25_000);
      await send(4, 60, [windows]);
      isDown = true;
      expect(await send(100, 60, [windows])).toBe(60 - 4);
    });
  });
});
