import { describe, expect, test } from 'vitest';
import { cryptoConformance, randomConformance } from '@subrail/core/testing';
import { createCrypto, createRandom } from './index.js';

describe('the Random port', () => {
  randomConformance(test, createRandom);
});

describe('the Crypto port', () => {
  const key = createRandom().bytes(32);
  const otherKey = createRandom().bytes(32);
  cryptoConformance(test, () => ({
    crypto: createCrypto(key),
    withAnotherKey: createCrypto(otherKey),
    rotated: createCrypto(otherKey, { older: [key] }),
  }));

  test('opens after a restart what was sealed before', async () => {
    const sealed = await createCrypto(key).seal(new TextEncoder().encode('whsec_abc'));
    expect(new TextDecoder().decode(await createCrypto(key.slice()).open(sealed))).toBe('whsec_abc');
  });

  test('refuses a key of the wrong length with a message that does not contain it', () => {
    expect(() => createCrypto(new Uint8Array(16))).toThrow('The sealing key must have 32 bytes, but has 16.');
    expect(() => createCrypto(key, { older: [key, new Uint8Array(16)] })).toThrow(
      'An older sealing key must have 32 bytes, but has 16.',
    );
  });
});
