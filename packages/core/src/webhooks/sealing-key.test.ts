import { describe, expect, it } from 'vitest';

import type { CryptoProvider } from '../ports/crypto.js';
import type { Endpoint } from '../records/index.js';
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

function checkOver(list: (limit: number) => Promise<readonly Endpoint[]>) {
  return createSealingKeyCheck({ store: { listNewestEndpoints: list }, crypto: cryptoWith('mine') });
}

describe('the check of the sealing key', () => {
  it('finds a key that opens a stored secret, and asks the store no more', async () => {
    let asked = 0;
    const check = checkOver(async () => {
      asked += 1;
      return [sealedWith('mine')];
    });
    expect([await check(), await check()]).toEqual(['ok', 'ok']);
    expect(asked).toBe(1);
  });

  it('accepts a key of which one secret is damaged, or belongs to another key', async () => {
    expect(await checkOver(async () => [sealedWith('other', 'mine')])()).toBe('ok');
    expect(await checkOver(async () => [sealedWith('other'), sealedWith('mine')])()).toBe('ok');
  });

  it('finds a key that opens none of the secrets', async () => {
    const check = checkOver(async () => [sealedWith('other'), sealedWith('older')]);
    expect([await check(), await check()]).toEqual(['wrong', 'wrong']);
  });

  it('says when nothing is stored, and when the store does not answer', async () => {
    expect(await checkOver(async () => [])()).toBe('unused');
    expect(await checkOver(async () => Promise.reject(new Error('disk')))()).toBe('unknown');
  });

  it('reads a few endpoints only, however many there are', async () => {
    const limits: number[] = [];
    await checkOver(async (limit) => {
      limits.push(limit);
      return [];
    })();
    expect(limits).toEqual([5]);
  });

  it('notices that secrets were rotated to the new key', async () => {
    let endpoints = [sealedWith('other')];
    const check = checkOver(async () => endpoints);
    expect(await check()).toBe('wrong');
    endpoints = [sealedWith('mine')];
    expect(await check()).toBe('ok');
  });
});
