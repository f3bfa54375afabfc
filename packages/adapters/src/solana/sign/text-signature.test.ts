import {
  type KeyPairSigner,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Decoder,
  signBytes,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { SUBSCRIPTION } from '../tests/charge-view.js';
import { readTextSignature } from './text-signature.js';

const wallet: KeyPairSigner = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(1));
const TEXT = 'Amount: 10 USDC every 30 days\nNonce: 0123456789ab';
const bytes = new TextEncoder().encode(TEXT);
const signed = await signBytes(wallet.keyPair.privateKey, bytes);
const read = (signature: string, signer: string = wallet.address) =>
  readTextSignature({ wallet: signer, text: TEXT, signature, signedMessage: null });
const base58 = (of: Uint8Array) => getBase58Decoder().decode(of);

// terms#terms-signature-encoding
describe('the signature of a text', () => {
  it('is found in base58 and in base64, and returned in base58', async () => {
    const found = { signature: base58(signed), envelope: null };
    expect(await read(base58(signed))).toEqual(found);
    expect(await read(Buffer.from(signed).toString('base64'))).toEqual(found);
    expect(await read(Buffer.from(signed).toString('base64url'))).toEqual(found);
  });

  it('is found in the way in which the chain reads keys: not by an address off the curve, nor unreduced', async () => {
    expect(await read(base58(signed), SUBSCRIPTION)).toBeNull();
    // The group's order, little-endian: added to the second half, it makes a signature malleable (RFC 8032).
    const order = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex');
    const unreduced = Uint8Array.from(signed);
    let carry = 0;
    for (const [index, byte] of order.entries()) {
      const sum = (unreduced[32 + index] ?? 0) + byte + carry;
      unreduced[32 + index] = sum & 0xff;
      carry = sum >> 8;
    }
    expect(await read(base58(unreduced))).toBeNull();
  });

  it('is not found in bytes of any other length', async () => {
    for (const length of [0, 1, 63, 65, 128, 129, 3_000]) {
      expect(await read(base58(new Uint8Array(length).fill(1)))).toBeNull();
      expect(await read(Buffer.alloc(length, 1).toString('base64'))).toBeNull();
    }
  });
});
