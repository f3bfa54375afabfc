import type { RateLimit } from '../ports/rate-limit.js';
import { expectEqual } from './expect-equal.js';
import { promiseTest } from './promise-test.js';
import type { TestFunction } from './test-function.js';

/** What the author of a `RateLimit` provides for each test: one without counts, and a way to end it. */
export interface RateLimitUnderTest {
  readonly rateLimit: RateLimit;
  /** The same counts through a second connection; the same object when there can be only one connection. */
  readonly peer: RateLimit;
  /** Closes both, and deletes the counts. Called at the end of each test. */
  close(): Promise<void>;
}

const START = Date.UTC(2026, 9, 2, 8, 30);
/** So many seconds after the start. */
const at = (seconds: number) => new Date(START + seconds * 1_000);

type RateLimitTest = (underTest: RateLimitUnderTest) => Promise<void>;

const TESTS: Readonly<Record<string, RateLimitTest>> = {
  'starts a window with the first calls': async ({ rateLimit }) => {
    const taken = await rateLimit.take('a', 3, { startedAt: at(0), now: at(1) });
    expectEqual(taken, { startedAt: at(0), before: 0 }, 'the first calls');
  },
  'counts on in an open window, whoever counted before': async ({ rateLimit, peer }) => {
    await rateLimit.take('a', 3, { startedAt: at(0), now: at(0) });
    await peer.take('a', 4, { startedAt: at(10), now: at(10) });
    const taken = await rateLimit.take('a', 1, { startedAt: at(0), now: at(59) });
    expectEqual(taken, { startedAt: at(0), before: 7 }, 'calls in an open window');
  },
  'counts each caller apart': async ({ rateLimit }) => {
    await rateLimit.take('a', 3, { startedAt: at(0), now: at(0) });
    const taken = await rateLimit.take('b', 1, { startedAt: at(1), now: at(1) });
    expectEqual(taken, { startedAt: at(1), before: 0 }, 'the first calls of another caller');
  },
  'starts anew after a minute': async ({ rateLimit }) => {
    await rateLimit.take('a', 3, { startedAt: at(0), now: at(0) });
    const first = await rateLimit.take('a', 2, { startedAt: at(45), now: at(60) });
    expectEqual(first, { startedAt: at(45), before: 0 }, 'the first calls after a minute');
    const second = await rateLimit.take('a', 1, { startedAt: at(45), now: at(61) });
    expectEqual(second, { startedAt: at(45), before: 2 }, 'the second calls after a minute');
  },
  'moves the start of a window back to an earlier call of another host': async ({ rateLimit, peer }) => {
    await rateLimit.take('a', 3, { startedAt: at(30), now: at(30) });
    const earlier = await peer.take('a', 2, { startedAt: at(0), now: at(35) });
    expectEqual(earlier, { startedAt: at(0), before: 3 }, 'calls that another host counted before');
    const first = await rateLimit.take('a', 1, { startedAt: at(60), now: at(60) });
    expectEqual(first, { startedAt: at(60), before: 0 }, 'the first calls a minute after that one');
  },
  'goes on with the window of a host whose clock is ahead': async ({ rateLimit }) => {
    await rateLimit.take('a', 3, { startedAt: at(60), now: at(60) });
    const taken = await rateLimit.take('a', 1, { startedAt: at(0), now: at(0) });
    expectEqual(taken, { startedAt: at(60), before: 3 }, 'calls by a clock a minute behind');
  },
  'starts anew when the clock was set back by more than a minute': async ({ rateLimit }) => {
    await rateLimit.take('a', 3, { startedAt: at(61), now: at(61) });
    const taken = await rateLimit.take('a', 1, { startedAt: at(0), now: at(0) });
    expectEqual(taken, { startedAt: at(0), before: 0 }, 'calls after the clock was set back');
  },
  'counts every one of many racing calls once': async ({ rateLimit, peer }) => {
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, call) =>
        (call % 2 === 0 ? rateLimit : peer).take('a', 5, { startedAt: at(0), now: at(0) }),
      ),
    );
    expectEqual(
      taken.map(({ before }) => before).sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, call) => call * 5),
      'what 40 racing calls found',
    );
  },
};

/**
 * The conformance kit of the `RateLimit` port: registers one test for each promise. `open` returns one without counts.
 *
 * @example
 * rateLimitConformance(test, async () => {
 *   const rateLimit = new MyRateLimit();
 *   return { rateLimit, peer: rateLimit, close: async () => {} };
 * });
 */
export function rateLimitConformance(test: TestFunction, open: () => Promise<RateLimitUnderTest>): void {
  for (const [promise, check] of Object.entries(TESTS))
    promiseTest(test, 'The rate limit', promise, open, check);
}
