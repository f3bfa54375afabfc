const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value] as const));

/**
 * Decodes base58; null for any other text. Callers check the length: 32 bytes of an address, 64 of a
 * signature. A text of more than 88 characters, the most of 64 bytes, is refused unread, because decoding
 * takes quadratic time.
 */
export function decodeBase58(text: string): Uint8Array | null {
  if (text.length > 88) return null;
  const bytes: number[] = [];
  for (const character of text) {
    let carry = VALUES.get(character);
    if (carry === undefined) return null;
    for (let i = 0; i < bytes.length; i++) {
      carry += (bytes[i] ?? 0) * 58;
      bytes[i] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff);
  }
  for (const character of text) {
    if (character !== '1') break;
    bytes.push(0);
  }
  return Uint8Array.from(bytes.reverse());
}

/** Whether a text is an address: base58 of exactly 32 bytes, 32 to 44 characters. */
export function isAddress(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && decodeBase58(text)?.length === 32;
}
