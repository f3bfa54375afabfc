import { anApiKey, aProject } from '@subrail/core/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyCache, type KeyOfProject } from './key-cache.js';

const stored: KeyOfProject = { key: anApiKey(), project: aProject() };
const { hash } = stored.key;
const read = vi.fn(() => Promise.resolve<KeyOfProject | null>(stored));
/** A cache over a database that reports no writes: only their age ends the keys in it. */
const agingCache = (maxAgeMs: number) => new KeyCache({ version: () => 'constant', maxAgeMs });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  read.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

// requests#api-key-revocation
test('a key is read again at the maximum age, counted from the start of its read', async () => {
  const cache = agingCache(900);
  await cache.find(hash, async () => {
    vi.advanceTimersByTime(100);
    return stored;
  });
  vi.advanceTimersByTime(799);
  expect(await cache.find(hash, read)).toBe(stored);
  expect(read).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  read.mockResolvedValueOnce(null);
  expect(await cache.find(hash, read)).toBeNull();
});

test.each<[string, (cache: KeyCache) => void]>([
  ['a write of a key', (cache) => cache.drop()],
  ['a use of the key', (cache) => cache.forget(stored.key.id)],
])('a key is not cached when %s happens during its read', async (_, write) => {
  const cache = agingCache(900);
  await cache.find(hash, async () => {
    write(cache);
    return stored;
  });
  await cache.find(hash, read);
  expect(read).toHaveBeenCalledTimes(1);
});

test('nothing is cached while the version of the database is unknown', async () => {
  const cache = new KeyCache({ version: () => null, maxAgeMs: Infinity });
  await cache.find(hash, read);
  await cache.find(hash, read);
  expect(read).toHaveBeenCalledTimes(2);
});

test('ten thousand keys are cached, and one more replaces the one that was read first', async () => {
  const cache = agingCache(Infinity);
  const keys = Array.from({ length: 10_001 }, () => ({ key: anApiKey(), project: stored.project }));
  for (const entry of keys) await cache.find(entry.key.hash, () => Promise.resolve(entry));
  for (const { key } of keys.slice(1)) await cache.find(key.hash, read);
  expect(read).not.toHaveBeenCalled();
  await cache.find(keys[0]?.key.hash ?? '', read);
  expect(read).toHaveBeenCalledTimes(1);
});
