import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';

/** The secret half of a key, and 32 bytes for whatever needs them. */
export const SECRET = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 11) % 256);

/** The content of the key file of `SECRET`. */
export async function keyFileText(): Promise<string> {
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(SECRET);
  return JSON.stringify([...SECRET, ...getAddressEncoder().encode(address)]);
}
