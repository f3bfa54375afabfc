import type { CryptoProvider } from '../ports/crypto.js';
import { expectEqual, expectRejection, expectThat } from './expect.js';
import type { TestFunction } from './test-function.js';

const text = (content: string) => new TextEncoder().encode(content);
const SECRET = text('whsec_secret');

function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** SHA-256 of the empty text, of `abc` (FIPS 180-2, appendix B), and of characters of one to three bytes. */
const DIGESTS = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['Grüße €', '93e4860377cd14ea266d7c0f31d5ddc85ecd9c1853d3df56a134203506186751'],
] as const;

/** RFC 4231, test cases 1, 2 and 6: a short key, a shorter one, and one longer than a block. */
const MACS = [
  ['0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    '4a656665',
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    'aa'.repeat(131),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
] as const;

/** The parts that the author of a `CryptoProvider` provides for each test. */
export interface CryptoUnderTest {
  readonly crypto: CryptoProvider;
  /** Another instance, which has another key. */
  readonly withAnotherKey: CryptoProvider;
  /** An instance whose newest key is that of `withAnotherKey`, and whose older one is that of `crypto`. */
  readonly rotated: CryptoProvider;
}

/**
 * The conformance kit of the `CryptoProvider` port: registers one test for each promise. The tests check
 * published vectors, and try to break sealed texts.
 *
 * @example
 * cryptoConformance(test, () => ({
 *   crypto: new MyCrypto(sealingKey),
 *   withAnotherKey: new MyCrypto(otherKey),
 *   rotated: new MyCrypto(otherKey, { older: [sealingKey] }),
 * }));
 */
export function cryptoConformance(test: TestFunction, open: () => CryptoUnderTest): void {
  test('digest is SHA-256 in lowercase hex', async () => {
    const { crypto } = open();
    for (const [message, digest] of DIGESTS)
      expectEqual(await crypto.digest(message), digest, `SHA-256 of "${message}"`);
  });

  test('mac is HMAC-SHA256, with keys shorter and longer than a block', async () => {
    const { crypto } = open();
    for (const [key, message, mac] of MACS)
      expectBytes(await crypto.mac(hex(key), text(message)), hex(mac), `HMAC-SHA256 of "${message}"`);
  });

  test('open returns what was sealed, whatever the bytes', async () => {
    const { crypto } = open();
    for (const plain of [text(''), SECRET, Uint8Array.from({ length: 256 }, (_, i) => i)])
      expectBytes(await crypto.open(await crypto.seal(plain)), plain, 'the bytes that were sealed');
  });

  test('sealing one secret twice gives two texts, neither of which shows the secret', async () => {
    const { crypto } = open();
    const [one, other] = [await crypto.seal(SECRET), await crypto.seal(SECRET)];
    expectThat(one !== other, 'two seals of one secret to differ', one);
    expectThat(!one.includes('secret'), 'a sealed text that does not contain the secret', one);
  });

  test('open throws for a sealed text that was changed anywhere', async () => {
    const { crypto } = open();
    const sealed = await crypto.seal(SECRET);
    for (let index = 0; index < sealed.length; index++) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      await expectThrow(() => crypto.open(changed), `open with a change at character ${index}`);
      await expectThrow(() => crypto.open(sealed.slice(0, index)), `open of ${index} characters`);
    }
  });

  test('open throws for a text that was sealed with another key', async () => {
    const { crypto, withAnotherKey } = open();
    await expectThrow(async () => withAnotherKey.open(await crypto.seal(SECRET)), 'open with another key');
  });

  test('open opens what an older key sealed, and seal seals with the newest', async () => {
    const { crypto, withAnotherKey, rotated } = open();
    expectBytes(await rotated.open(await crypto.seal(SECRET)), SECRET, 'a secret of before the rotation');
    const sealed = await rotated.seal(SECRET);
    expectBytes(await withAnotherKey.open(sealed), SECRET, 'a new secret, by the newest key alone');
    await expectThrow(() => crypto.open(sealed), 'open with the older key alone');
  });

  test('reseal seals with the newest key what an older one sealed, and leaves what the newest sealed', async () => {
    const { crypto, withAnotherKey, rotated } = open();
    const resealed = await rotated.reseal(await crypto.seal(SECRET));
    expectThat(resealed !== null, 'another text for what an older key sealed', resealed);
    expectBytes(await withAnotherKey.open(resealed), SECRET, 'the secret, by the newest key alone');
    for (const newest of [resealed, await rotated.seal(SECRET)])
      expectEqual(await rotated.reseal(newest), null, 'reseal of what the newest key sealed');
  });

  test('reseal throws for what none of the keys sealed, and for a text that was changed', async () => {
    const { crypto, withAnotherKey, rotated } = open();
    await expectThrow(async () => withAnotherKey.reseal(await crypto.seal(SECRET)), 'reseal without the key');
    await expectThrow(async () => rotated.reseal((await rotated.seal(SECRET)).slice(0, -1)), 'a cut text');
  });
}

function expectBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  expectEqual(Array.from(actual), Array.from(expected), what);
}

/** Fails unless the work throws or rejects. */
async function expectThrow(work: () => Promise<unknown>, what: string): Promise<void> {
  await expectRejection((async () => work())(), what);
}
