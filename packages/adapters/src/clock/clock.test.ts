import { clockConformance } from '@subrail/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { createClock } from './index.js';

describe('the Clock port', () => {
  clockConformance(test, () => ({ clock: createClock() }));

  test('returns the machine’s time', () => {
    const before = Date.now();
    const now = createClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
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
