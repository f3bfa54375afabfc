import type { CryptoProvider } from '../ports/crypto.js';
import { expectThat, sameBytes } from './expect-that.js';
import type { TestFunction } from './test-function.js';

const text = (content: string) => new TextEncoder().encode(content);

function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** SHA-256 of the empty text, of `abc` (FIPS 180-2, appendix B), and of a text whose characters take one to three bytes in UTF-8. */
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

/** RFC 8032, section 7.1, tests 1 to 3. */
const SIGNATURES = [
  {
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    key: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
] as const;

/**
 * The order of Ed25519's group, little-endian. A signature whose second half was increased by it is malleable, and must
 * not verify (RFC 8032, 5.1.7).
 */
const ORDER = hex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** What the author of a `CryptoProvider` provides for each test. */
export interface CryptoUnderTest {
  readonly crypto: CryptoProvider;
  /** Another instance, which has another key. */
  readonly withAnotherKey: CryptoProvider;
  /** An instance whose newest key is that of `withAnotherKey`, and whose older one is that of `crypto`. */
  readonly rotated: CryptoProvider;
}

/**
 * The conformance kit of the `CryptoProvider` port: registers one test for each promise. It checks published test
 * vectors and tries to break sealed texts.
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
    for (const [message, digest] of DIGESTS) {
      const found = await crypto.digest(message);
      expectThat(found === digest, `SHA-256 of "${message}" to be ${digest}`, found);
    }
  });

  test('mac is HMAC-SHA256, with keys shorter and longer than a block', async () => {
    const { crypto } = open();
    for (const [key, message, mac] of MACS) {
      const found = await crypto.mac(hex(key), text(message));
      expectThat(sameBytes(found, hex(mac)), `HMAC-SHA256 of "${message}" to be ${mac}`, hexOf(found));
    }
  });

  test('verify accepts a signature only for its key and its message', async () => {
    const { crypto } = open();
    for (const { key, message, signature } of SIGNATURES) {
      const verify = (msg: string, sig: Uint8Array) => crypto.verify(hex(key), hex(msg), sig);
      expectThat(
        await verify(message, hex(signature)),
        `the published signature of "${message}" to be valid`,
      );
      expectThat(
        !(await verify(`${message}00`, hex(signature))),
        'a signature of another message to be invalid',
      );
      const forged = hex(signature);
      forged[0] = (forged[0] ?? 0) ^ 1;
      expectThat(!(await verify(message, forged)), 'a signature with one changed bit to be invalid');
    }
    const [{ message, signature }, { key }] = SIGNATURES;
    expectThat(
      !(await crypto.verify(hex(key), hex(message), hex(signature))),
      'a signature by another key to be invalid',
    );
  });

  test('verify refuses a malleable signature, whose second half is not reduced', async () => {
    const { crypto } = open();
    const [{ key, message, signature }] = SIGNATURES;
    const unreduced = hex(signature);
    let carry = 0;
    for (const [index, byte] of ORDER.entries()) {
      const sum = (unreduced[32 + index] ?? 0) + byte + carry;
      unreduced[32 + index] = sum & 0xff;
      carry = sum >> 8;
    }
    expectThat(
      !(await crypto.verify(hex(key), hex(message), unreduced)),
      'a signature whose second half is not reduced to be invalid',
    );
  });

  test('verify returns false for malformed keys and signatures, and never throws', async () => {
    const { crypto } = open();
    const [{ key, message, signature }] = SIGNATURES;
    for (const length of [0, 31, 33, 64]) {
      expectThat(
        !(await crypto.verify(new Uint8Array(length), hex(message), hex(signature))),
        `false for a key of ${length} bytes`,
      );
    }
    for (const length of [0, 63, 65]) {
      expectThat(
        !(await crypto.verify(hex(key), hex(message), new Uint8Array(length))),
        `false for a signature of ${length} bytes`,
      );
    }
    expectThat(
      !(await crypto.verify(new Uint8Array(32).fill(0xff), hex(message), hex(signature))),
      'false for a key that is not a point of the curve',
    );
  });

  test('open returns what was sealed, whatever the bytes', async () => {
    const { crypto } = open();
    for (const plain of [text(''), text('whsec_secret'), Uint8Array.from({ length: 256 }, (_, i) => i)]) {
      const found = await crypto.open(await crypto.seal(plain));
      expectThat(sameBytes(found, plain), `the ${plain.length} bytes that were sealed`, hexOf(found));
    }
  });

  test('sealing one secret twice gives two texts, neither of which shows the secret', async () => {
    const { crypto } = open();
    const [one, other] = [await crypto.seal(text('whsec_secret')), await crypto.seal(text('whsec_secret'))];
    expectThat(one !== other, 'two seals of one secret to differ', one);
    expectThat(!one.includes('secret'), 'a sealed text that does not contain the secret', one);
  });

  test('open throws for a sealed text that was changed anywhere', async () => {
    const { crypto } = open();
    const sealed = await crypto.seal(text('whsec_secret'));
    for (let index = 0; index < sealed.length; index++) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expectThat(
        await throws(() => crypto.open(changed)),
        `open to throw for a change at character ${index}`,
      );
      expectThat(
        await throws(() => crypto.open(sealed.slice(0, index))),
        `open to throw for a text cut to ${index} characters`,
      );
    }
  });

  test('open throws for a text that was sealed with another key', async () => {
    const { crypto, withAnotherKey } = open();
    const sealed = await crypto.seal(text('whsec_secret'));
    expectThat(await throws(() => withAnotherKey.open(sealed)), 'open to throw with another key');
  });

  test('open opens what an older key sealed, and seal seals with the newest', async () => {
    const { crypto, withAnotherKey, rotated } = open();
    const secret = text('whsec_secret');
    const before = await rotated.open(await crypto.seal(secret));
    expectThat(sameBytes(before, secret), 'what was sealed before the rotation to open', hexOf(before));
    const sealed = await rotated.seal(secret);
    const after = await withAnotherKey.open(sealed);
    expectThat(sameBytes(after, secret), 'the newest key alone to open what is sealed now', hexOf(after));
    expectThat(await throws(() => crypto.open(sealed)), 'open to throw with the older key alone');
  });

  test('reseal seals with the newest key what an older one sealed, and leaves what the newest sealed', async () => {
    const { crypto, withAnotherKey, rotated } = open();
    const secret = text('whsec_secret');
    const resealed = await rotated.reseal(await crypto.seal(secret));
    expectThat(resealed !== null, 'another text for what an older key sealed', resealed);
    const found = await withAnotherKey.open(resealed);
    expectThat(sameBytes(found, secret), 'the newest key alone to open it', hexOf(found));
    for (const newest of [resealed, await rotated.seal(secret)]) {
      const again = await rotated.reseal(newest);
      expectThat(again === null, 'null for what the newest key sealed', again);
    }
  });

  test('reseal throws for what none of the keys sealed, and for a text that was changed', async () => {
    const { crypto, withAnotherKey, rotated } = open();
    const sealed = await crypto.seal(text('whsec_secret'));
    expectThat(await throws(() => withAnotherKey.reseal(sealed)), 'reseal to throw without the key');
    const cut = (await rotated.seal(text('whsec_secret'))).slice(0, -1);
    expectThat(await throws(() => rotated.reseal(cut)), 'reseal to throw for a text that was cut');
  });
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function throws(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}
