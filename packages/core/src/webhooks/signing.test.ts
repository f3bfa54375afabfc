import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SigningSecret } from '../records/index.js';
import { SeededRandom } from '../testing/seeded-random.js';
import { liveSecrets, rotateSecrets } from '../rules/signing-secrets.js';
import { newSecret, secretKey, signature, signatures } from './signing.js';
import { webCrypto } from './receiver/web-crypto.js';
import { HOUR } from '../testing/units-of-time.js';

const NOW = new Date('2026-10-02T08:30:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

function sealed(name: string, createdAt: Date, expiresAt: Date | null = null): SigningSecret {
  return { sealed: name, createdAt, expiresAt };
}

// deliveries#delivery-signature
describe('a signature', () => {
  test('equals the published example of Standard Webhooks', async () => {
    const key = secretKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: '1614265330',
      body: '{"test": 2432232314}',
    };
    expect(await signature(webCrypto, key ?? new Uint8Array(), signed)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  test('is HMAC-SHA256 of id, time and raw body, as node:crypto computes it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 24, maxLength: 24 }),
        fc.string(),
        fc.nat(),
        fc.string({ unit: 'binary' }),
        async (key, id, seconds, body) => {
          const expected = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
          const signed = { id, timestamp: String(seconds), body };
          expect(await signature(webCrypto, key, signed)).toBe(`v1,${expected}`);
          const bytes = new TextEncoder().encode(body);
          expect(await signature(webCrypto, key, { ...signed, body: bytes })).toBe(`v1,${expected}`);
        },
      ),
    );
  });

  test('is one of several in the header, in the order of the keys, separated by spaces', async () => {
    const [one, other] = [new Uint8Array(24).fill(1), new Uint8Array(24).fill(2)];
    const signed = { id: 'dlv_1', timestamp: '1', body: '{}' };
    expect(await signatures(webCrypto, [one, other], signed)).toBe(
      `${await signature(webCrypto, one, signed)} ${await signature(webCrypto, other, signed)}`,
    );
  });
});

describe('a signing secret', () => {
  // deliveries#signing-secret-format
  test('is whsec_ and the base64 of 24 random bytes', () => {
    const secret = newSecret(new SeededRandom(1));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(secretKey(secret)).toEqual(new SeededRandom(1).bytes(24));
  });

  test.each(['', 'whsec_', 'whsec_*', 'abc', 'WHSEC_AAAA', 'whsec_AAAAA'])('is not "%s"', (text) => {
    expect(secretKey(text)).toBeNull();
  });

  // deliveries#secret-rotation-overlap
  test('still signs, after the new one, until the overlap of its rotation ends', () => {
    const rotated = rotateSecrets([sealed('old', NOW)], sealed('new', later(HOUR)), later(HOUR), 24 * HOUR);
    const names = (at: Date) => liveSecrets(rotated, at).map((secret) => secret.sealed);
    expect(names(later(HOUR))).toEqual(['new', 'old']);
    expect(names(later(25 * HOUR - 1))).toEqual(['new', 'old']);
    expect(names(later(25 * HOUR))).toEqual(['new']);
  });

  // deliveries#secret-rotation-overlap
  test('is dropped at once by a rotation without an overlap', () => {
    expect(rotateSecrets([sealed('old', NOW)], sealed('new', later(1)), later(1), 0)).toEqual([
      sealed('new', later(1)),
    ]);
  });

  // deliveries#secret-rotation-overlap
  test('is dropped by a second rotation within the overlap, so that at most two are live', () => {
    const first = rotateSecrets([sealed('a', NOW)], sealed('b', later(1)), later(1), HOUR);
    const second = rotateSecrets(first, sealed('c', later(2)), later(2), HOUR);
    expect(liveSecrets(second, later(3)).map((secret) => secret.sealed)).toEqual(['c', 'b']);
    expect(second).toHaveLength(2);
  });

  test('is dropped by a rotation without an overlap, even during the overlap of an earlier rotation', () => {
    const open = rotateSecrets([sealed('a', NOW)], sealed('b', later(1)), later(1), HOUR);
    expect(rotateSecrets(open, sealed('c', later(2)), later(2), 0)).toEqual([sealed('c', later(2))]);
  });

  test('signs after a newer one that was made in the same millisecond', () => {
    const rotated = rotateSecrets([sealed('old', NOW)], sealed('new', NOW), NOW, HOUR);
    expect(liveSecrets(rotated, NOW).map((secret) => secret.sealed)).toEqual(['new', 'old']);
  });
});
