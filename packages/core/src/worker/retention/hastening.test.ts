import { describe, expect, it } from 'vitest';
import { NOW, serviceFixture } from '../../http/tests/fixtures.js';
import type { Batch, BatchCursor } from '../../ports/index.js';
import { SECOND, MINUTE, DAY } from '../../testing/units-of-time.js';

/** After so long a walk begins. */
const LEASE_OVER = 45 * SECOND;

const place = (number: number): BatchCursor => ({ at: new Date(number), id: `dlv_${number}` });

/** A host whose store ends each batch at the next of these places. */
function hostWith(...answers: readonly (BatchCursor | null | Error)[]) {
  const left = [...answers];
  let aheadMs = 0;
  /** The batches asked for, with dates in milliseconds since the first call. */
  const batches: unknown[] = [];
  const NONE: Batch = { changed: 0, next: null };
  const { billing, clock } = serviceFixture({
    store: {
      async hastenDeliveries(after, at, limit, cursor) {
        const [now, until] = [at, after].map((date) => date.getTime() - NOW.getTime());
        batches.push({ now, until, limit, cursor });
        const answer = left.shift() ?? null;
        if (answer instanceof Error) throw answer;
        return { changed: 1, next: answer };
      },
      hastenMails: async () => 0,
      failUnfinishedTests: async () => 0,
      deleteDeliveries: async () => NONE,
      deleteEvents: async () => NONE,
      deleteExpiredCheckouts: async () => NONE,
      deleteUnusedVisits: async () => NONE,
      deleteSessions: async () => NONE,
      deleteMails: async () => NONE,
    },
    wallClock: {
      now: () => new Date(clock.now().getTime() + aheadMs),
      elapsed: () => clock.now().getTime(),
      sleep: (ms, signal) => clock.sleep(ms, signal),
    },
  });
  return {
    batches,
    prune: () => billing.worker.prune(),
    pass: (ms: number) => {
      clock.advance(ms);
    },
    setClock: (ms: number) => {
      aheadMs += ms;
    },
  };
}

/** A batch at a time, in milliseconds since the first call. */
const batchAt = (now: number, cursor: BatchCursor | null) => ({
  now,
  until: now + MINUTE,
  limit: 500,
  cursor,
});

// clocks#dates-of-a-clock-that-was-ahead
describe('a walk along the deliveries that wait', () => {
  it('makes a batch of 500 at each call, by the time of that call, and is not finished until none is left', async () => {
    const { batches, prune, pass } = hostWith(place(1), place(2), null);
    expect(await prune()).toMatchObject({ finished: true });
    pass(LEASE_OVER - 1);
    expect(await prune()).toMatchObject({ finished: true });
    expect(batches).toEqual([]);
    pass(1);
    expect(await prune()).toMatchObject({ finished: false });
    expect(batches).toEqual([batchAt(LEASE_OVER, null)]);
    pass(2 * MINUTE);
    expect(await prune()).toMatchObject({ finished: false });
    pass(SECOND);
    expect(await prune()).toMatchObject({ finished: true });
    expect(batches.slice(1)).toEqual([
      batchAt(LEASE_OVER + 2 * MINUTE, place(1)),
      batchAt(LEASE_OVER + 2 * MINUTE + SECOND, place(2)),
    ]);
    pass(SECOND);
    expect(await prune()).toMatchObject({ finished: true });
    expect(batches).toHaveLength(3);
  });

  it('begins again a day after the last one ended', async () => {
    const { batches, prune, pass } = hostWith(place(1), null);
    await prune();
    pass(LEASE_OVER);
    await prune();
    pass(SECOND);
    await prune();
    pass(DAY - 1);
    await prune();
    expect(batches).toHaveLength(2);
    pass(1);
    await prune();
    expect(batches.slice(2)).toEqual([batchAt(LEASE_OVER + SECOND + DAY, null)]);
  });

  it('ends when the clock is set back, and a new one begins when what was in flight has ended', async () => {
    const { batches, prune, pass, setClock } = hostWith(place(1), place(2));
    setClock(DAY);
    await prune();
    pass(LEASE_OVER);
    await prune();
    expect(batches).toEqual([batchAt(DAY + LEASE_OVER, null)]);
    setClock(-DAY);
    pass(SECOND);
    expect(await prune()).toMatchObject({ finished: true });
    pass(LEASE_OVER - 1);
    expect(await prune()).toMatchObject({ finished: true });
    expect(batches).toHaveLength(1);
    pass(1);
    expect(await prune()).toMatchObject({ finished: false });
    expect(batches.slice(1)).toEqual([batchAt(2 * LEASE_OVER + SECOND, null)]);
  });

  it('goes on when the clock is set back by no more than those of hosts differ', async () => {
    const { batches, prune, pass, setClock } = hostWith(place(1), null);
    await prune();
    pass(LEASE_OVER);
    await prune();
    setClock(-MINUTE);
    await prune();
    expect(batches.slice(1)).toEqual([batchAt(LEASE_OVER - MINUTE, place(1))]);
  });

  it('makes a batch again that failed', async () => {
    const { batches, prune, pass } = hostWith(place(1), new Error('disk full'), null);
    await prune();
    pass(LEASE_OVER);
    await prune();
    await expect(prune()).rejects.toThrow('disk full');
    expect(await prune()).toMatchObject({ finished: true });
    expect(batches.slice(1)).toEqual([batchAt(LEASE_OVER, place(1)), batchAt(LEASE_OVER, place(1))]);
  });
});
