import { describe, expect, it } from 'vitest';
import { boundedCache } from './bounded-cache.js';

describe('a bounded cache', () => {
  it('computes once for each key', async () => {
    let computed = 0;
    const cached = boundedCache<number>(2);
    const next = async () => ++computed;
    expect(await Promise.all([cached('a', next), cached('a', next), cached('b', next)])).toEqual([1, 1, 2]);
  });

  it('drops the oldest entry when it is full', async () => {
    let computed = 0;
    const cached = boundedCache<number>(2);
    const next = async () => ++computed;
    for (const key of ['a', 'b', 'c']) await cached(key, next);
    expect(await cached('c', next)).toBe(3);
    expect(await cached('a', next)).toBe(4);
  });

  it('does not cache a failure', async () => {
    const cached = boundedCache<number>(2);
    await expect(cached('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cached('a', async () => 1)).toBe(1);
  });
});
