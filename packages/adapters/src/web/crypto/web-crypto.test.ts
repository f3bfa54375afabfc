import { cryptoConformance, randomConformance } from '@subrail/core/testing';
import { describe, expect, test } from 'vitest';
import { createCrypto } from '../../node/index.js';
import { createWebCrypto } from './crypto.js';
import { createWebRandom } from './random.js';

describe('the Random port', () => {
  randomConformance(test, createWebRandom);

  test('fills more bytes than the platform draws at once', () => {
    const bytes = createWebRandom().bytes(200_000);
    expect(bytes).toHaveLength(200_000);
    expect(bytes.subarray(-1_000).some((byte) => byte !== 0)).toBe(true);
  });
});

describe('the Crypto port', () => {
  const key = createWebRandom().bytes(32);
  const otherKey = createWebRandom().bytes(32);
  cryptoConformance(test, () => ({
    crypto: createWebCrypto(key),
    withAnotherKey: createWebCrypto(otherKey),
    rotated: createWebCrypto(otherKey, { older: [key] }),
  }));

  test.each([
    ['node:crypto', createCrypto(key), createWebCrypto(key)],
    ['WebCrypto', createWebCrypto(key), createCrypto(key)],
  ])('what %s sealed, the other opens', async (_, one, other) => {
    for (const secret of ['', 'whsec_c2VjcmV0', 'ü'.repeat(500)]) {
      const sealed = await one.seal(new TextEncoder().encode(secret));
      expect(new TextDecoder().decode(await other.open(sealed))).toBe(secret);
    }
  });

  test('keeps its own copy of the sealing key', async () => {
    const passed = key.slice();
    const crypto = createWebCrypto(passed);
    passed.fill(0);
    const sealed = await crypto.seal(new TextEncoder().encode('whsec_abc'));
    expect(new TextDecoder().decode(await createCrypto(key).open(sealed))).toBe('whsec_abc');
  });

  test('refuses a key of the wrong length with a message that does not contain it', () => {
    expect(() => createWebCrypto(new Uint8Array(16))).toThrow(
      'The sealing key must have 32 bytes, but has 16.',
    );
  });
});
