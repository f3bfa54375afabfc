import type { CryptoProvider } from '../ports/crypto.js';
import { must, sameBytes, type TestFunction } from './conformance.js';

const text = (content: string) => new TextEncoder().encode(content);

function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** FIPS 180-2, appendix B. */
const DIGESTS = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
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

/** The order of Ed25519's group, little-endian: added to a signature's second half it must not verify (RFC 8032, 5.1.7). */
const ORDER = hex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** What every Crypto promises, by published vectors and by trying to break what it sealed. `open` makes one with one key. */
export function cryptoConformance(
  test: TestFunction,
  open: () => { crypto: CryptoProvider; withAnotherKey: CryptoProvider },
): void {
  test('digest is SHA-256', async () => {
    const { crypto } = open();
    for (const [message, digest] of DIGESTS) {
      must(sameBytes(await crypto.digest(text(message)), hex(digest)), `SHA-256 of "${message}"`);
    }
  });

  test('mac is HMAC-SHA256, with keys shorter and longer than a block', async () => {
    const { crypto } = open();
    for (const [key, message, mac] of MACS) {
      must(sameBytes(await crypto.mac(hex(key), text(message)), hex(mac)), `HMAC of "${message}"`);
    }
  });

  test('a signature is accepted for its key and message alone', async () => {
    const { crypto } = open();
    for (const { key, message, signature } of SIGNATURES) {
      must(await crypto.verify(hex(key), hex(message), hex(signature)), 'a published signature verifies');
      must(!(await crypto.verify(hex(key), hex(`${message}00`), hex(signature))), 'not for another message');
      const forged = hex(signature);
      forged[0] = (forged[0] ?? 0) ^ 1;
      must(!(await crypto.verify(hex(key), hex(message), forged)), 'not when a bit of it is changed');
    }
    const [{ message, signature }, { key }] = SIGNATURES;
    must(!(await crypto.verify(hex(key), hex(message), hex(signature))), 'not for another key');
  });

  test('a second form of a good signature is refused', async () => {
    const { crypto } = open();
    const [{ key, message, signature }] = SIGNATURES;
    const twin = hex(signature);
    let carry = 0;
    for (const [index, byte] of ORDER.entries()) {
      const sum = (twin[32 + index] ?? 0) + byte + carry;
      twin[32 + index] = sum & 0xff;
      carry = sum >> 8;
    }
    must(!(await crypto.verify(hex(key), hex(message), twin)), 'a signature has one form');
  });

  test('malformed keys and signatures are false, never an exception', async () => {
    const { crypto } = open();
    const [{ key, message, signature }] = SIGNATURES;
    for (const length of [0, 31, 33, 64]) {
      must(
        !(await crypto.verify(new Uint8Array(length), hex(message), hex(signature))),
        `a key of ${length} bytes`,
      );
    }
    for (const length of [0, 63, 65]) {
      must(
        !(await crypto.verify(hex(key), hex(message), new Uint8Array(length))),
        `a signature of ${length} bytes`,
      );
    }
    must(
      !(await crypto.verify(new Uint8Array(32).fill(0xff), hex(message), hex(signature))),
      'a key that is no point of the curve',
    );
  });

  test('open gives back what seal was given, whatever the bytes', async () => {
    const { crypto } = open();
    for (const plain of [text(''), text('whsec_secret'), Uint8Array.from({ length: 256 }, (_, i) => i)]) {
      must(sameBytes(await crypto.open(await crypto.seal(plain)), plain), `${plain.length} bytes come back`);
    }
  });

  test('two seals of one secret differ, and show nothing of it', async () => {
    const { crypto } = open();
    const [one, other] = [await crypto.seal(text('whsec_secret')), await crypto.seal(text('whsec_secret'))];
    must(one !== other, 'a seal does not tell which secrets are equal');
    must(!one.includes('secret'), 'a seal does not hold the secret readably');
  });

  test('a seal changed anywhere does not open', async () => {
    const { crypto } = open();
    const sealed = await crypto.seal(text('whsec_secret'));
    for (let index = 0; index < sealed.length; index++) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      must(await throws(() => crypto.open(changed)), `changed at letter ${index}`);
      must(await throws(() => crypto.open(sealed.slice(0, index))), `cut to ${index} letters`);
    }
  });

  test('a seal by another key does not open', async () => {
    const { crypto, withAnotherKey } = open();
    const sealed = await crypto.seal(text('whsec_secret'));
    must(await throws(() => withAnotherKey.open(sealed)), 'opening needs the key it was sealed with');
  });
}

async function throws(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}
