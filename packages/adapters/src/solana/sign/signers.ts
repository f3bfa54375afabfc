import { type KeyPairSigner, createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';

/** Both halves of an Ed25519 key pair, the secret first. */
const KEY_PAIR_BYTES = 64;

/**
 * The signer of a secret in the two forms wallets and tools write: a JSON array of 64 bytes, or base58 of them.
 * Throws a TypeError with a sentence that never holds any of the secret; `where` names its place in that sentence.
 */
export async function signerFromSecret(secret: string, where = 'The key'): Promise<KeyPairSigner> {
  const bytes = bytesOf(secret.trim());
  if (bytes?.length !== KEY_PAIR_BYTES) {
    throw new TypeError(`${where} is not a Solana key: a JSON array of 64 numbers, or base58 of 64 bytes.`);
  }
  try {
    return await createKeyPairSignerFromBytes(bytes);
  } catch {
    throw new TypeError(`${where} is damaged: its public half is not that of its secret half.`);
  }
}

/** The signer of a secret in an environment variable. Throws a TypeError with a sentence when it is missing or not a key. */
export async function signerFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): Promise<KeyPairSigner> {
  const secret = environment[name];
  if (secret === undefined || secret.trim() === '') throw new TypeError(`Set ${name} to the charger's key.`);
  return signerFromSecret(secret, name);
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
