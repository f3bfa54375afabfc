import { clockConformance } from '@subrail/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { createClock } from './index.js';

const NOON = new Date('2026-01-01T12:00:00.000Z');

describe('the Clock port', () => {
  clockConformance(test, () => ({ clock: createClock() }));

  test('returns the machine’s time', () => {
    const before = Date.now();
    const now = createClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  test('goes on at half pace when the machine’s time is set back, until the machine has caught up', () => {
    vi.useFakeTimers({ now: NOON });
    try {
      const clock = createClock();
      const minutesPastNoon = () => (clock.now().getTime() - NOON.getTime()) / 60_000;
      expect(minutesPastNoon()).toBe(0);
      vi.setSystemTime(NOON.getTime() - 60 * 60_000);
      expect(minutesPastNoon()).toBe(0);
      vi.advanceTimersByTime(40 * 60_000);
      expect(minutesPastNoon()).toBe(20);
      vi.advanceTimersByTime(80 * 60_000);
      expect(minutesPastNoon()).toBe(60);
      vi.advanceTimersByTime(10 * 60_000);
      expect(minutesPastNoon()).toBe(70);
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not go back where performance.now() is set back too, as in a Cloudflare Worker', () => {
    vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
    vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
    try {
      const clock = createClock();
      expect(clock.now()).toEqual(NOON);
      vi.setSystemTime(NOON.getTime() - 60 * 60_000);
      expect(clock.now()).toEqual(NOON);
      vi.setSystemTime(NOON.getTime() - 58 * 60_000);
      expect(clock.now()).toEqual(new Date(NOON.getTime() + 60_000));
    } finally {
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  test('sleeps longer than one timer can, even when the machine’s time is changed meanwhile', async () => {
    vi.useFakeTimers();
    try {
      const days60 = 60 * 24 * 3_600_000;
      let over = false;
      const sleep = createClock()
        .sleep(days60)
        .then(() => (over = true));
      vi.setSystemTime(Date.now() + days60);
      await vi.advanceTimersByTimeAsync(days60 - 1);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await sleep;
      expect(over).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
