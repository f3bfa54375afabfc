import { forgetOldest } from '../../forget-oldest.js';

/** Caches results by key. A full cache drops its oldest entry, and a failed computation is not cached. */
export function boundedCache<T>(capacity: number): (key: string, compute: () => Promise<T>) => Promise<T> {
  const cached = new Map<string, Promise<T>>();
  return (key, compute) => {
    const found = cached.get(key);
    if (found !== undefined) return found;
    const result = compute();
    cached.set(key, result);
    result.catch(() => cached.delete(key));
    forgetOldest(cached, capacity);
    return result;
  };
}
