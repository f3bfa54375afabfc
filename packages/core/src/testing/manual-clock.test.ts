import { describe, expect, test } from 'vitest';
import { clockConformance, ManualClock, randomConformance, SeededRandom } from './index.js';

const START = new Date('2026-10-02T00:00:00.000Z');

describe('the manual clock as a Clock', () => {
  clockConformance(test, () => {
    const clock = new ManualClock(START);
    return { clock, pass: (ms) => clock.advance(ms) };
  });
});

describe('the seeded random as a Random', () => {
  randomConformance(test, () => new SeededRandom(1));

  test('gives the same bytes for the same seed, and other bytes for another', () => {
    expect(new SeededRandom(7).bytes(64)).toEqual(new SeededRandom(7).bytes(64));
    expect(new SeededRandom(7).bytes(64)).not.toEqual(new SeededRandom(8).bytes(64));
  });
});

describe('the manual clock', () => {
  test('ends sleeps in the order of their time, each at its own instant', async () => {
    const clock = new ManualClock(START);
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, ms]);
    };
    const all = Promise.all([sleep('late', 30), sleep('soon', 10), sleep('middle', 20)]);
    clock.advance(30);
    await all;
    expect(woken.map(([name]) => name)).toEqual(['soon', 'middle', 'late']);
    expect(clock.now()).toEqual(new Date(START.getTime() + 30));
    expect(clock.sleeping).toBe(false);
  });

  test('finishes work that sleeps many times, and stops at the instant when it ended', async () => {
    const clock = new ManualClock(START);
    const work = async () => {
      for (let i = 0; i < 90; i++) await clock.sleep(1_000);
      return 'done';
    };
    expect(await clock.finish(work())).toBe('done');
    expect(clock.now()).toEqual(new Date(START.getTime() + 90_000));
  });

  test('passes on the error of the work', async () => {
    const clock = new ManualClock(START);
    await expect(clock.finish(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  test('throws instead of going back', () => {
    expect(() => new ManualClock(START).advance(-1)).toThrow('A clock does not go back');
  });
});
