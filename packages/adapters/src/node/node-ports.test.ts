import { describe, expect, test } from 'vitest';
import { clockConformance, cryptoConformance, randomConformance } from '@subrail/core/testing';
import { createClock, createCrypto, createRandom } from './index.js';

describe('the Clock port', () => {
  clockConformance(test, () => ({ clock: createClock() }));

  test('is the machine’s own time', () => {
    const before = Date.now();
    const now = createClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('the Random port', () => {
  randomConformance(test, createRandom);
});

describe('the Crypto port', () => {
  const key = createRandom().bytes(32);
  cryptoConformance(test, () => ({
    crypto: createCrypto(key),
    withAnotherKey: createCrypto(createRandom().bytes(32)),
  }));

  test('what was sealed before a restart opens after it', async () => {
    const sealed = await createCrypto(key).seal(new TextEncoder().encode('whsec_abc'));
    expect(new TextDecoder().decode(await createCrypto(key.slice()).open(sealed))).toBe('whsec_abc');
  });

  test('a key of the wrong length is refused in words that do not show it', () => {
    expect(() => createCrypto(new Uint8Array(16))).toThrow('The sealing key has 16 bytes; it takes 32.');
  });
});
