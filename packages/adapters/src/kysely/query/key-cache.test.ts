import { anApiKey, aProject } from '@subrail/core/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyCache, type KeyOfProject } from './key-cache.js';

const found: KeyOfProject = { key: anApiKey(), project: aProject() };
const { hash } = found.key;
const read = vi.fn(() => Promise.resolve<KeyOfProject | null>(found));
const aged = (maxAgeMs: number) => new KeyCache({ version: () => 'not told', maxAgeMs });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  read.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

// requests#api-key-revocation
test('a key is read again once it is as old as it may be, from the moment at which its read began', async () => {
  const cache = aged(900);
  await cache.find(hash, async () => {
    vi.advanceTimersByTime(100);
    return found;
  });
  vi.advanceTimersByTime(799);
  expect(await cache.find(hash, read)).toBe(found);
  expect(read).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  read.mockResolvedValueOnce(null);
  expect(await cache.find(hash, read)).toBeNull();
});

test.each<[string, (cache: KeyCache) => void]>([
  ['a write of a key', (cache) => cache.drop()],
  ['a use of the key', (cache) => cache.forget(found.key.id)],
])('what was read while %s was under way is not kept', async (_, write) => {
  const cache = aged(900);
  await cache.find(hash, async () => {
    write(cache);
    return found;
  });
  await cache.find(hash, read);
  expect(read).toHaveBeenCalledTimes(1);
});

test('nothing is kept while the database cannot tell its version', async () => {
  const cache = new KeyCache({ version: () => null, maxAgeMs: Infinity });
  await cache.find(hash, read);
  await cache.find(hash, read);
  expect(read).toHaveBeenCalledTimes(2);
});

test('ten thousand keys are kept, and the one that was read first is forgotten for another', async () => {
  const cache = aged(Infinity);
  const keys = Array.from({ length: 10_001 }, () => ({ key: anApiKey(), project: found.project }));
  for (const one of keys) await cache.find(one.key.hash, () => Promise.resolve(one));
  for (const one of keys.slice(1).reverse()) await cache.find(one.key.hash, read);
  expect(read).not.toHaveBeenCalled();
  await cache.find(keys[0]?.key.hash ?? '', read);
  expect(read).toHaveBeenCalledTimes(1);
});
