import { SECOND, HOUR, settled } from '@subrail/test-world';
import type { Clock } from '@subrail/core/ports';
import { OK, RecordingSender } from '@subrail/core/testing';
import { describe, expect, it } from 'vitest';

import { NOW, openDeliveryWorld } from './delivery-world.js';

/** No attempt begins after 25 seconds of the lease of 40, but for those that began together just before. */
const LAST_START_MS = 25 * SECOND + 8 * 0.9 * SECOND;

/** What happens once, during a claim or an attempt: the clock shows so much more, and so much time passes. */
interface Row {
  readonly name: string;
  readonly wallMs: number;
  readonly elapsedMs: number;
}

const ROWS: readonly Row[] = [
  { name: 'nothing', wallMs: 0, elapsedMs: 0 },
  { name: 'the machine sleeps for 8 hours', wallMs: 8 * HOUR, elapsedMs: 8 * HOUR },
  { name: 'the clock is set forward by 8 hours', wallMs: 8 * HOUR, elapsedMs: 0 },
  { name: 'the clock is set back by an hour', wallMs: -HOUR, elapsedMs: 0 },
];

/**
 * An endpoint with a backlog, a clock to which a row happens at one moment, and the record of the sender's
 * posts with their times.
 */
async function openWorld({ wallMs, elapsedMs }: Row, moment: 'claim' | 'attempt') {
  const time = { wall: NOW.getTime(), elapsed: 0 };
  const pass = (wall: number, elapsed = wall) => {
    time.wall += wall;
    time.elapsed += elapsed;
  };
  const slept: number[] = [];
  /** The attempts whose results are not stored: results wait a few real milliseconds for each other. */
  let unsettled = 0;
  const wallClock: Clock = {
    now: () => new Date(time.wall),
    elapsed: () => time.elapsed,
    // It goes on when nothing else is left to do, or is ended.
    sleep: async (ms, signal) => {
      slept.push(ms);
      do await settled(20);
      while (unsettled > 0 && signal?.aborted !== true);
      if (signal?.aborted !== true) pass(ms);
    },
  };
  const claimedAt: number[] = [];
  const startedAt: number[] = [];
  const happened = { claim: 0, attempt: 0 };
  const happen = (what: 'claim' | 'attempt') => {
    happened[what] += 1;
    if (what === moment && happened[what] === 2) pass(wallMs, elapsedMs);
  };
  const sender = new RecordingSender(async () => {
    startedAt.push(time.elapsed);
    unsettled += 1;
    happen('attempt');
    pass(0.9 * SECOND);
    await new Promise((resolve) => setImmediate(resolve));
    return OK;
  });
  const world = await openDeliveryWorld(sender, {
    wallClock,
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'settleDeliveries')
            return async (...given: Parameters<typeof store.settleDeliveries>) => {
              const outcomes = await target.settleDeliveries(...given);
              unsettled -= outcomes.length;
              return outcomes;
            };
          if (name !== 'claimEndpoints') return Reflect.get(target, name) as unknown;
          return async (...given: Parameters<typeof store.claimEndpoints>) => {
            const begunAt = time.elapsed;
            const claims = await target.claimEndpoints(...given);
            if (claims.claimed.length > 0) claimedAt.push(begunAt);
            happen('claim');
            return claims;
          };
        },
      }),
  });
  await world.endpoint('a');
  const types = Array.from({ length: 60 }, () => 'subscription.renewed' as const);
  await world.happens(...types);
  // What is due is so also by a clock that was set back.
  pass(2 * HOUR);
  return { world, slept, claimedAt, startedAt, sender, pass };
}

// clocks#passes-by-time-that-passed, deliveries#in-flight-limit-per-endpoint
describe.each(['claim', 'attempt'] as const)('a delivery pass, during whose second %s', (moment) => {
  it.each(ROWS)('$name, sleeps for seconds at most, and begins no attempt late in a lease', async (row) => {
    const { world, slept, claimedAt, startedAt, sender, pass } = await openWorld(row, moment);
    for (let run = 0; run < 10 && sender.posts.length < 60; run += 1) {
      await world.deliver();
      pass(41 * SECOND);
    }
    expect(sender.posts).toHaveLength(60);
    expect(Math.max(...slept)).toBeLessThanOrEqual(5 * SECOND);
    for (const start of startedAt) {
      const claim = Math.max(...claimedAt.filter((at) => at <= start));
      expect(start - claim).toBeLessThanOrEqual(LAST_START_MS);
    }
  });
});
