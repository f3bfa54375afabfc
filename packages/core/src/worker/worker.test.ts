import { describe, expect, it } from 'vitest';

import type { Chain, Claims, FullStore } from '../ports/index.js';
import { NOW, serviceFixture } from '../http/tests/fixtures.js';
import { aPlan } from '../testing/records.js';
import { HOUR } from '../testing/units-of-time.js';

const NOTHING: Claims = { claimed: [], unreadable: [] };

/** A worker whose store has nothing due unless the test says otherwise. */
function workerFixture(store: Partial<FullStore> = {}, chain: Partial<Chain> = {}) {
  const { billing, clock, logged } = serviceFixture({
    store: {
      listProjects: async () => [],
      nextWakeAt: async () => NOW,
      claimPlanChecks: async () => ({ claimed: [], unreadable: [] }),
      listAccessEnds: async () => ({ ended: [], unreadable: [] }),
      claimDue: async () => NOTHING,
      claimEndpoints: async () => ({ claimed: [], unreadable: [] }),
      listHeldEvents: async () => ({ held: [], unreadable: [], next: null }),
      listEndpointsAfter: async () => ({ endpoints: [], unreadable: [], next: null }),
      mergeFigures: async () => 0,
      failUnfinishedTests: async () => 0,
      hastenMails: async () => 0,
      hastenDeliveries: async () => ({ changed: 0, next: null }),
      deleteDeliveries: async () => ({ changed: 0, next: null }),
      deleteEvents: async () => ({ changed: 0, next: null }),
      deleteExpiredCheckouts: async () => ({ changed: 0, next: null }),
      deleteUnusedVisits: async () => ({ changed: 0, next: null }),
      deleteSessions: async () => ({ changed: 0, next: null }),
      deleteMails: async () => ({ changed: 0, next: null }),
      ...store,
    },
    chain: {
      head: async () => ({ ok: false, unavailable: { kind: 'transport' } }),
      readCharger: async () => ({ ok: false, unavailable: { kind: 'transport' } }),
      servers: () => ({ servers: [], hostClockAheadSeconds: null }),
      ...chain,
    },
  });
  const alerts = () => billing.service.alerts.open().map(({ key }) => key);
  return { worker: billing.worker, clock, logged, alerts };
}

/** Lets promises that are ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('worker.run', () => {
  it('runs both passes a second after they last ended, until the signal aborts', async () => {
    const passes = { charges: 0, deliveries: 0 };
    const { worker, clock } = workerFixture({
      claimDue: async () => {
        passes.charges += 1;
        return NOTHING;
      },
      claimEndpoints: async () => {
        passes.deliveries += 1;
        return { claimed: [], unreadable: [] };
      },
    });
    const stop = new AbortController();
    const running = worker.run({ signal: stop.signal });
    await settle();
    expect(passes).toEqual({ charges: 1, deliveries: 1 });
    clock.advance(999);
    await settle();
    expect(passes).toEqual({ charges: 1, deliveries: 1 });
    clock.advance(1);
    await settle();
    expect(passes).toEqual({ charges: 2, deliveries: 2 });
    stop.abort();
    await running;
    clock.advance(5_000);
    await settle();
    expect(passes).toEqual({ charges: 2, deliveries: 2 });
  });

  it('never overlaps passes of one kind, and a slow one does not delay the other', async () => {
    let finish = (): void => undefined;
    const passes = { charges: 0, deliveries: 0 };
    const { worker, clock } = workerFixture({
      claimDue: () => {
        passes.charges += 1;
        return new Promise((resolve) => {
          finish = () => {
            resolve(NOTHING);
          };
        });
      },
      claimEndpoints: async () => {
        passes.deliveries += 1;
        return { claimed: [], unreadable: [] };
      },
    });
    const stop = new AbortController();
    const running = worker.run({ signal: stop.signal });
    for (let second = 0; second < 3; second += 1) {
      await settle();
      clock.advance(1_000);
    }
    await settle();
    expect(passes).toEqual({ charges: 1, deliveries: 4 });
    stop.abort();
    let ended = false;
    const end = running.then(() => (ended = true));
    await settle();
    expect(ended).toBe(false);
    finish();
    await end;
  });

  // clocks#watch-of-the-passes
  it('is watched by a timer of its own: a pass whose timer never fires is an alert', async () => {
    const { worker, clock, alerts } = workerFixture();
    let sleeps = 0;
    const sleep = clock.sleep.bind(clock);
    // Each pass sleeps once before any sleeps again. The third pass, of the charges, sleeps for ever.
    clock.sleep = (ms, signal) => ((sleeps += 1) === 3 ? sleep(1e12, signal) : sleep(ms, signal));
    const stop = new AbortController();
    const running = worker.run({ signal: stop.signal });
    for (let second = 0; second < 6; second += 1) {
      await settle();
      clock.advance(1_000);
    }
    await settle();
    expect(alerts().filter((key) => key.startsWith('pass_standing'))).toHaveLength(1);
    stop.abort();
    await running;
  });

  // events#access-ending-by-date
  it('stores ends of access every second while a chain that never answers holds the other passes', async () => {
    let looks = 0;
    const { worker, clock } = workerFixture(
      {
        listAccessEnds: async () => {
          looks += 1;
          return { ended: [], unreadable: [] };
        },
        claimPlanChecks: async () => ({ claimed: [aPlan()], unreadable: [] }),
      },
      { head: () => new Promise(() => undefined) },
    );
    const stop = new AbortController();
    void worker.run({ signal: stop.signal });
    const looksIn = async (seconds: number): Promise<number> => {
      const before = looks;
      for (let second = 0; second < seconds; second += 1) {
        await settle();
        clock.advance(1_000);
      }
      return looks - before;
    };
    expect(await looksIn(30)).toBe(0);
    expect(await looksIn(10)).toBeGreaterThanOrEqual(9);
    stop.abort();
  });

  // events#access-ending-by-date
  it('looks for ends of access by no clock that was not compared with the time of the chain', async () => {
    const times: Date[] = [];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const { worker, clock } = workerFixture(
      {
        listAccessEnds: async (now) => {
          times.push(now);
          return { ended: [], unreadable: [] };
        },
      },
      {
        head: async () => {
          await answered;
          const time = new Date(clock.now().getTime() - HOUR);
          return { ok: true, value: { slot: 1n, blockHeight: 1n, time } };
        },
      },
    );
    const stop = new AbortController();
    void worker.run({ signal: stop.signal });
    for (let second = 0; second < 8; second += 1) {
      await settle();
      clock.advance(1_000);
      if (second === 3) answer();
    }
    expect(times.length).toBeGreaterThan(2);
    expect(times.map((time) => clock.now().getTime() - time.getTime())).toEqual(
      times.map((_, index) => HOUR + (times.length - index) * 1_000),
    );
    stop.abort();
  });

  it('goes on after a failed pass, logs the first of several failures, and logs the recovery', async () => {
    let fails = true;
    const { worker, clock, logged } = workerFixture({
      claimDue: async () => {
        if (fails) throw new Error('disk full');
        return NOTHING;
      },
    });
    const stop = new AbortController();
    const running = worker.run({ signal: stop.signal });
    await settle();
    clock.advance(1_000);
    await settle();
    expect(worker.states().charges).toEqual({ lastOk: null, failing: true });
    fails = false;
    clock.advance(1_000);
    await settle();
    expect(worker.states().charges).toEqual({ lastOk: clock.now(), failing: false });
    expect(logged.filter((entry) => entry.startsWith('A pass of the worker failed'))).toHaveLength(1);
    expect(logged.filter((entry) => entry.startsWith('The pass works again'))).toHaveLength(1);
    stop.abort();
    await running;
  });
});

describe('a single pass', () => {
  it('rejects with the failure that it recorded', async () => {
    const { worker } = workerFixture({ claimDue: () => Promise.reject(new Error('disk full')) });
    await expect(worker.charge()).rejects.toThrow('disk full');
    await expect(worker.runUntilIdle()).rejects.toThrow('disk full');
    expect(worker.states().charges.failing).toBe(true);
  });
});
