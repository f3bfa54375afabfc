import { getAddressEncoder, getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { signerFromSecret } from './signers.js';
import { signerOf } from '../tests/chain-on.js';

const { address } = await signerOf(7);
const secret = Uint8Array.from([...new Uint8Array(32).fill(7), ...getAddressEncoder().encode(address)]);
const json = JSON.stringify([...secret]);
const base58 = getBase58Decoder().decode(secret);

describe("the charger's key", () => {
  it.each([
    ['a JSON array', json],
    ['base58', base58],
    ['either with space around it', `\n ${json}\n`],
  ])('is read from %s', async (_, text) => {
    expect((await signerFromSecret(text)).address).toBe(address);
  });

  it.each([
    ['nothing', ''],
    ['words', 'my key'],
    ['too few bytes', JSON.stringify([...secret].slice(0, 63))],
    ['numbers that are no bytes', JSON.stringify([...secret].map((byte) => byte + 256))],
    ['fractions', JSON.stringify([...secret].map((byte) => byte / 2 + 0.25))],
    ['an object', '{"0":1}'],
    ['broken JSON', json.slice(0, -1)],
    ['half a key', getBase58Decoder().decode(secret.slice(0, 32))],
    ['an address', address],
  ])('is not read from %s', async (_, text) => {
    await expect(signerFromSecret(text)).rejects.toThrow(
      'The key is not a Solana key. It must be a JSON array of 64 numbers, or base58 of 64 bytes.',
    );
  });

  it('is refused when its halves belong to different keys', async () => {
    const mixed = Uint8Array.from([...secret.slice(0, 32), ...new Uint8Array(32).fill(1)]);
    await expect(signerFromSecret(JSON.stringify([...mixed]))).rejects.toThrow(
      'The key is damaged: its public half does not belong to its secret half.',
    );
  });

  // invariants#no-secret-leaks
  it('never appears in an error message', async () => {
    const broken = json.replace('[7,', '[700,');
    const message = await signerFromSecret(broken).catch((error: unknown) => String(error));
    expect(message).not.toContain('7,7');
    expect(message).not.toContain(base58.slice(0, 8));
  });
});
