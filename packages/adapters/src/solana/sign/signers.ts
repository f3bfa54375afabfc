import {
  type KeyPairSigner,
  SOLANA_ERROR__KEYS__PUBLIC_KEY_MUST_MATCH_PRIVATE_KEY,
  createKeyPairSignerFromBytes,
  getBase58Encoder,
  isSolanaError,
} from '@solana/kit';

/** The secret half of an Ed25519 key pair, followed by its public half. */
const KEY_PAIR_BYTES = 64;

/**
 * Reads a signer from a secret as wallets and tools write it: a JSON array of 64 bytes, or their base58.
 *
 * @param label the name of the secret in error messages, such as the name of its variable
 * @throws TypeError when the secret is not a key; the message never contains any of it
 * @throws SolanaError when this runtime cannot sign with Ed25519
 */
export async function signerFromSecret(secret: string, label = 'The key'): Promise<KeyPairSigner> {
  const bytes = bytesOf(secret.trim());
  if (bytes?.length !== KEY_PAIR_BYTES) {
    throw new TypeError(
      `${label} is not a Solana key. It must be a JSON array of 64 numbers, or base58 of 64 bytes.`,
    );
  }
  try {
    return await createKeyPairSignerFromBytes(bytes);
  } catch (error) {
    // Another error, such as of a runtime without Ed25519, has nothing of the key.
    if (!isSolanaError(error, SOLANA_ERROR__KEYS__PUBLIC_KEY_MUST_MATCH_PRIVATE_KEY)) throw error;
    throw new TypeError(
      `${label} is damaged: its public half does not belong to its secret half. Export the key again.`,
      { cause: error },
    );
  }
}

function bytesOf(secret: string): Uint8Array | null {
  try {
    if (!secret.startsWith('[')) return new Uint8Array(getBase58Encoder().encode(secret));
    const numbers: unknown = JSON.parse(secret);
    return Array.isArray(numbers) && numbers.every(isByte) ? Uint8Array.from(numbers) : null;
  } catch {
    return null;
  }
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}
