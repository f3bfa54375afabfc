import { describe, expect, it } from 'vitest';

import { ManualClock } from '../testing/manual-clock.js';
import { MADE_AT } from '../testing/records.js';
import { lastLookupWithin, SharedLookups } from './shared-lookups.js';

const WAIT_MS = 90_000;

/** Shared look-ups on a moved clock, each of which takes some time. */
function fixture(latencyMs = 0) {
  const clock = new ManualClock(MADE_AT);
  const elapsed = () => clock.now().getTime() - MADE_AT.getTime();
  /** When each call of the chain began, in milliseconds, and the queries of each. */
  const begun: number[] = [];
  const batches: string[][] = [];
  const lookups = new SharedLookups<string, number>(clock, async (queries) => {
    const at = elapsed();
    begun.push(at);
    batches.push([...queries]);
    await clock.sleep(latencyMs);
    if (queries.includes('failing')) throw new Error('An adapter that breaks its promise.');
    return queries.map(() => at);
  });
  /** Waits like a confirm for which nothing ever lands. Returns when each of its look-ups began. */
  async function wait(key: string, afterMs = 0): Promise<number[]> {
    await clock.sleep(afterMs);
    const last = lastLookupWithin(clock.now(), WAIT_MS);
    const got: number[] = [];
    for (let count = 0; count === 0 || clock.now() < last; count++)
      got.push(await lookups.next({ key, query: key, count, last }, async (at) => at));
    return got;
  }
  return { clock, elapsed, lookups, begun, batches, wait };
}

// cancel-resume-close#backoff-of-waiting-confirms
describe('the look-ups of waiting calls', () => {
  it('follow each other after 0.5, 1, 2 and then every 4 seconds, and the last is at 90 seconds', async () => {
    const { clock, begun, wait } = fixture(80);
    await clock.finish(wait('a'));
    expect(begun.slice(0, 7)).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500]);
    expect(begun.slice(-2)).toEqual([87_500, 90_000]);
    expect(begun).toHaveLength(26);
  });

  it('are as many for a hundred calls as for one', async () => {
    const { clock, begun, wait } = fixture(80);
    const all = await clock.finish(Promise.all(Array.from({ length: 100 }, () => wait('a'))));
    // The others come during the first look-up, so theirs, and their backoff, begin half a second later.
    expect(begun).toHaveLength(27);
    for (const got of all) expect(got.at(-1)).toBe(90_000);
  });

  it('are at most two a second while calls for the same come and go', async () => {
    const { clock, begun, wait } = fixture(80);
    await clock.finish(Promise.all(Array.from({ length: 100 }, (_, call) => wait('a', call * 37))));
    const gaps = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(463);
    expect(begun.length).toBeLessThanOrEqual(45);
  });

  it('are one call of the chain for everything that is due in the same half second', async () => {
    const { clock, batches, wait } = fixture(80);
    const keys = Array.from({ length: 100 }, (_, index) => `subscription ${index}`);
    await clock.finish(Promise.all(keys.map((key, index) => wait(key, index))));
    // Each makes its first look-up at once, because no other waits for the same.
    expect(batches.map(({ length }) => length)).toEqual([
      ...Array.from({ length: 100 }, () => 1),
      ...Array.from({ length: 25 }, () => 100),
    ]);
  });

  it('are at most two calls of the chain a second, however many calls wait for different things', async () => {
    const { clock, begun, wait } = fixture(80);
    const calls = Array.from({ length: 300 }, (_, index) => wait(`subscription ${index}`, index * 31));
    await clock.finish(Promise.all(calls));
    const afterFirst = begun.filter((at) => at > 10_000);
    expect(afterFirst.every((at, index) => index === 0 || at - (afterFirst[index - 1] ?? 0) >= 500)).toBe(
      true,
    );
  });

  it('began after each call that gets the result, however long one takes', async () => {
    const { clock, wait } = fixture(3_000);
    const starts = Array.from({ length: 40 }, (_, call) => call * 333);
    const all = await clock.finish(Promise.all(starts.map((start) => wait('a', start))));
    for (const [call, got] of all.entries()) expect(got[0]).toBeGreaterThanOrEqual(starts[call] ?? 0);
  });

  it('are used once for all calls that share one', async () => {
    const { clock, lookups } = fixture();
    let used = 0;
    const use = async () => ++used;
    const last = lastLookupWithin(clock.now(), WAIT_MS);
    const calls = Array.from({ length: 10 }, () =>
      lookups.next({ key: 'a', query: 'a', count: 1, last }, use),
    );
    expect(await clock.finish(Promise.all(calls))).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('fail no call that waits for something else', async () => {
    const { clock, lookups, batches } = fixture();
    const last = lastLookupWithin(clock.now(), WAIT_MS);
    const next = (key: string) => lookups.next({ key, query: key, count: 1, last }, async (at) => at);
    const results = await clock.finish(Promise.allSettled(['a', 'failing', 'failing', 'b'].map(next)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(batches).toEqual([['a', 'failing', 'b'], ['a'], ['failing'], ['b']]);
  });

  it('are begun by any call that is left, when the timers of the others never end', async () => {
    const { clock, wait } = fixture();
    let cancelled = 0;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (ms, signal) => (cancelled++ < 3 ? new Promise(() => undefined) : sleep(ms, signal));
    for (const lost of ['a', 'b', 'a']) void wait(lost);
    expect((await clock.finish(wait('a', 10_000))).at(-1)).toBe(100_000);
    expect((await clock.finish(wait('b'))).length).toBe(26);
  });
});
