import { describe, expect, it } from 'vitest';

import type { CryptoProvider } from '../ports/crypto.js';
import type { EndpointBatch } from '../ports/store.js';
import type { Endpoint, EndpointId } from '../records/index.js';
import { ManualClock } from '../testing/manual-clock.js';
import { anEndpoint } from '../testing/records.js';
import { createSealingKeyCheck } from './sealing-key.js';

/** A reversible stand-in for encryption: a sealed text begins with the name of its key. */
const cryptoWith = (key: string) =>
  ({
    open: async (sealed: string) => {
      if (!sealed.startsWith(`${key}:`)) throw new Error('sealed with another key');
      return new TextEncoder().encode(sealed.slice(key.length + 1));
    },
  }) as CryptoProvider;

const sealedWith = (...keys: readonly string[]) =>
  anEndpoint({
    secrets: keys.map((key) => ({
      sealed: `${key}:whsec_c2VjcmV0`,
      createdAt: new Date(0),
      expiresAt: null,
    })),
  });

function checkOver(
  list: (after: EndpointId | null, limit: number) => Promise<readonly Endpoint[]>,
  wallClock = new ManualClock(new Date(0)),
) {
  return checkOverBatches(async (after, limit) => {
    const endpoints = await list(after, limit);
    const last = endpoints.length === limit ? endpoints.at(-1) : undefined;
    return { endpoints, unreadable: [], next: last?.id ?? null };
  }, wallClock);
}

function checkOverBatches(
  listEndpointsAfter: (after: EndpointId | null, limit: number) => Promise<EndpointBatch>,
  wallClock = new ManualClock(new Date(0)),
) {
  return createSealingKeyCheck({ store: { listEndpointsAfter }, crypto: cryptoWith('mine'), wallClock });
}

describe('the check of the sealing key', () => {
  it('finds a key that opens a stored secret, and asks the store no more for ten seconds', async () => {
    const clock = new ManualClock(new Date(0));
    let asked = 0;
    const check = checkOver(async () => {
      asked += 1;
      return [sealedWith('mine')];
    }, clock);
    expect(await Promise.all([check(), check()])).toEqual(['ok', 'ok']);
    clock.advance(9_999);
    expect([await check(), asked]).toEqual(['ok', 1]);
    clock.advance(1);
    expect([await check(), asked]).toEqual(['ok', 2]);
  });

  it('accepts a key of which one secret is damaged, or belongs to another key', async () => {
    expect(await checkOver(async () => [sealedWith('other', 'mine')])()).toBe('ok');
    expect(await checkOver(async () => [sealedWith('other'), sealedWith('mine')])()).toBe('ok');
  });

  it('finds a key that opens none of the secrets', async () => {
    const check = checkOver(async () => [sealedWith('other'), sealedWith('older')]);
    expect([await check(), await check()]).toEqual(['wrong', 'wrong']);
  });

  it('says when nothing is stored, and when the store does not answer, and asks again at the next call', async () => {
    let stored: () => readonly Endpoint[] = () => [];
    const check = checkOver(async () => stored());
    expect(await check()).toBe('unused');
    stored = () => {
      throw new Error('disk');
    };
    expect(await check()).toBe('unknown');
    stored = () => [sealedWith('mine')];
    expect(await check()).toBe('ok');
  });

  it('takes a key for wrong only after it tried every secret, of ten endpoints at a time', async () => {
    const others = Array.from({ length: 10 }, () => sealedWith('other'));
    const [last] = others.slice(-1);
    const asked: unknown[] = [];
    const check = checkOver(async (after, limit) => {
      asked.push([after, limit]);
      return after === null ? others : [sealedWith('mine')];
    });
    expect(await check()).toBe('ok');
    expect(asked).toEqual([
      [null, 10],
      [last?.id, 10],
    ]);
  });

  // invariants#damaged-row-set-aside
  it('goes on past endpoints that cannot be read', async () => {
    const damaged = anEndpoint();
    const unreadable = [{ id: damaged.id, error: new Error('damaged') }];
    const after = (rest: readonly Endpoint[]) =>
      checkOverBatches(async (last) =>
        last === null
          ? { endpoints: [], unreadable, next: damaged.id }
          : { endpoints: rest, unreadable: [], next: null },
      );
    expect(await after([sealedWith('mine')])()).toBe('ok');
    expect(await after([sealedWith('other')])()).toBe('wrong');
    expect(await after([])()).toBe('unknown');
  });

  it('notices that secrets were rotated to the new key, or sealed anew with one that it does not have', async () => {
    const clock = new ManualClock(new Date(0));
    let endpoints = [sealedWith('other')];
    const check = checkOver(async () => endpoints, clock);
    expect(await check()).toBe('wrong');
    endpoints = [sealedWith('mine')];
    clock.advance(10_000);
    expect(await check()).toBe('ok');
    endpoints = [sealedWith('other')];
    clock.advance(10_000);
    expect(await check()).toBe('wrong');
  });
});
