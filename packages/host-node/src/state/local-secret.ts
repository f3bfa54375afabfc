import { createHash, randomBytes } from 'node:crypto';
import { getBase58Encoder } from '@solana/kit';

/** The random bytes of 32: still too many to guess. */
const RANDOM_BYTES = 16;

/**
 * A new secret of 32 bytes for a local chain, with a mark by which `isLocalSecret` knows it wherever it is
 * copied to: its second half follows from the first, which is random or begins the given bytes.
 */
export function newLocalSecret(bytes: Uint8Array = randomBytes(RANDOM_BYTES)): Uint8Array {
  const random = bytes.subarray(0, RANDOM_BYTES);
  return Uint8Array.from([...random, ...markOf(random)]);
}

/** Whether a secret was made for a local chain. Another has the mark once in 2 to the power of 128. */
export function isLocalSecret(secret: Uint8Array): boolean {
  const mark = markOf(secret.subarray(0, RANDOM_BYTES));
  return Buffer.from(secret.subarray(RANDOM_BYTES)).equals(mark);
}

/** Whether a keypair, as key files or wallets write it, was made for a local chain. False for other texts. */
export function isLocalKeypair(text: string): boolean {
  try {
    const bytes = text.startsWith('[')
      ? Uint8Array.from(JSON.parse(text) as readonly number[])
      : getBase58Encoder().encode(text);
    return isLocalSecret(bytes.subarray(0, 32));
  } catch {
    return false;
  }
}

function markOf(random: Uint8Array): Buffer {
  return createHash('sha256')
    .update('subrail local chain')
    .update(random)
    .digest()
    .subarray(0, 32 - RANDOM_BYTES);
}
