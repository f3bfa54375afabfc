import { describe } from './read-options.js';

const KEY_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const EXPECTED = '32 bytes, or a text of them: 64 hexadecimal digits, or base64';

/**
 * Reads a sealing key from 64 hexadecimal digits or base64. Space around it is ignored, as at the end of a
 * file.
 *
 * @throws TypeError when the text is neither; the message never contains any of it
 * @example
 * const sealingKey = sealingKeyFromText(process.env.SEALING_KEY ?? '');
 */
export function sealingKeyFromText(text: string): Uint8Array {
  const key = parse(text);
  if (key === null) throw new TypeError(`The sealing key must be ${EXPECTED}; it is ${describe(text)}.`);
  return key;
}

export function sealingKeyBytes(option: unknown): Uint8Array {
  return keyBytes('"sealingKey"', option);
}

export function olderSealingKeyBytes(option: unknown): readonly Uint8Array[] {
  if (!Array.isArray(option)) {
    throw new TypeError(`"olderSealingKeys" must be a list of sealing keys; it is ${describeKey(option)}.`);
  }
  return option.map((key, index) => keyBytes(`Item ${index + 1} of "olderSealingKeys"`, key));
}

function keyBytes(which: string, option: unknown): Uint8Array {
  const key = typeof option === 'string' ? parse(option) : option;
  if (key instanceof Uint8Array && key.length === KEY_BYTES) return key;
  throw new TypeError(`${which} must be ${EXPECTED}; it is ${describeKey(option)}.`);
}

function parse(text: string): Uint8Array | null {
  const trimmed = text.trim();
  const isHex = HEX.test(trimmed);
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  // The decoder ignores invalid characters, so a text is valid when its bytes encode to it.
  if (!isHex && bytes.toString('base64') !== trimmed) return null;
  return bytes.length === KEY_BYTES ? Uint8Array.from(bytes) : null;
}

function describeKey(key: unknown): string {
  return key instanceof Uint8Array ? `${key.length} bytes` : describe(key);
}
